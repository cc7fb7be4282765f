import { count } from "../text/words";
import { Icon } from "../ui/Icon";
import { PlaceLink } from "../ui/PlaceLink";
import styles from "./SheetEditsField.module.css";
import { editsOf, editWords } from "./sheetEdits";

type Props = {
  id: string;
  text: string;
  hint: string;
  /** The name of the dataset that the sheet edits; empty while none is chosen. */
  dataset: string;
  onChange: (text: string) => void;
};

/** The edits of a sheet cell in words, each with a way to take it out; the sheet itself is the place to add some. */
export function SheetEditsField({ id, text, hint, dataset, onChange }: Props) {
  const edits = editsOf(text);
  if (edits === undefined)
    return <input id={id} value={text} placeholder={hint} onChange={(event) => onChange(event.target.value)} />;
  if (edits.length === 0)
    return (
      <span id={id} className={styles.none}>
        No edits.{" "}
        {dataset !== "" && <PlaceLink place={{ view: "sheet", dataset }}>{`Edit ${dataset} as a sheet`}</PlaceLink>}
      </span>
    );
  return (
    <ol id={id} className={styles.edits} aria-label={count(edits.length, "edit")}>
      {editWords(edits).map((words, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an edit may be there twice
        <li key={at}>
          <span>{words}</span>
          <button
            type="button"
            className="icon-button"
            aria-label={`Remove edit ${at + 1}: ${words}`}
            title="Remove this edit"
            onClick={() => onChange(JSON.stringify(edits.toSpliced(at, 1)))}
          >
            <Icon name="close" size={12} />
          </button>
        </li>
      ))}
    </ol>
  );
}
