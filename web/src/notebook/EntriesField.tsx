import { useState } from "react";
import { Icon } from "../ui/Icon";
import styles from "./EntriesField.module.css";
import { type EntryField, type EntryTexts, entriesOf, isEmpty, textOfEntries } from "./entries";
import type { Option } from "./options";
import { Picker } from "./Picker";

type Props = {
  id: string;
  /** The name of the parameter, for the names of its fields. */
  label: string;
  text: string;
  hint: string;
  fields: EntryField[];
  /** The columns of the source, for fields that name one. */
  columns: Option[];
  onChange: (text: string) => void;
};

/** A list whose entries all hold the same things: one line for each, and the last line is for one more. */
export function EntriesField({ id, label, text, hint, fields, columns, onChange }: Props) {
  const stored = entriesOf(text, fields);
  // Kept here, because a half typed number would be read as another one.
  const [typed, setTyped] = useState<EntryTexts[]>(stored ?? []);
  if (stored === undefined || fields.length === 0)
    return <input id={id} value={text} placeholder={hint} onChange={(event) => onChange(event.target.value)} />;
  const shown = textOfEntries(typed, fields) === textOfEntries(stored, fields) ? typed : stored;
  const lines = [...shown, {}];
  const put = (next: EntryTexts[]) => {
    const filled = next.filter((entry) => !isEmpty(entry));
    setTyped(filled);
    onChange(textOfEntries(filled, fields));
  };
  return (
    <div className={styles.entries}>
      <table>
        <thead>
          <tr>
            {fields.map(({ name, label: title }) => (
              <th key={name} scope="col" title={title}>
                {name}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {lines.map((entry: EntryTexts, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no other name than its place
            <tr key={line}>
              {fields.map((field, place) => {
                const shared = {
                  id: line + place === 0 ? id : `${id}-${line}-${place}`,
                  title: field.label,
                  "aria-label": `${label}, ${field.name} ${line + 1}`,
                };
                const write = (value: string) => put(lines.with(line, { ...entry, [field.name]: value }));
                return (
                  <td key={field.name}>
                    {field.kind === "column" ? (
                      <Picker
                        {...shared}
                        label={shared["aria-label"]}
                        text={entry[field.name] ?? ""}
                        hint=""
                        isMany={false}
                        options={columns}
                        isClosed
                        onChange={write}
                      />
                    ) : (
                      <input
                        {...shared}
                        value={entry[field.name] ?? ""}
                        onChange={(event) => write(event.target.value)}
                      />
                    )}
                  </td>
                );
              })}
              <td>
                {line < shown.length && (
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={`Remove entry ${line + 1} of ${label}`}
                    onClick={() => put(lines.toSpliced(line, 1))}
                  >
                    <Icon name="close" size={12} />
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
