import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { count, number } from "../text/words";
import { type Operation, previewEdits, type SheetPreview } from "./api";
import styles from "./EditPreview.module.css";
import type { SheetSession } from "./SheetSession";
import { useLater } from "./useLater";

type Props = { session: SheetSession; operations: Operation[] };

/** What edits would change in the first rows, before anything is kept. */
export function EditPreview({ session, operations }: Props) {
  const asked = useLater(JSON.stringify(operations));
  const query = useQuery({
    queryKey: ["sheet preview", session.id, session.revision, asked],
    queryFn: ({ signal }) => previewEdits(session.id, JSON.parse(asked), signal),
    enabled: asked !== "[]",
    placeholderData: keepPreviousData,
    retry: false,
  });
  const preview = asked === "[]" ? undefined : query.data;
  return (
    <section className={styles.preview} aria-label="Preview" aria-busy={query.isFetching}>
      {preview && preview.rows.length > 0 && <Changes preview={preview} />}
      <p role="status">{asked === "[]" ? "" : (query.error?.message ?? (preview ? words(preview) : "Computing…"))}</p>
    </section>
  );
}

function Changes({ preview }: { preview: SheetPreview }) {
  const isNew = (name: string) => preview.inserted.includes(name);
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">row</th>
            {preview.columns.flatMap(({ name, type }) => [
              ...(isNew(name)
                ? []
                : [
                    <th key={`${name} before`} scope="col">
                      {name} now
                    </th>,
                  ]),
              <th key={name} scope="col">
                {isNew(name) ? name : "then"} <small>{type}</small>
              </th>,
            ])}
          </tr>
        </thead>
        <tbody>
          {preview.rows.map((row) => (
            <tr key={row.position}>
              <th scope="row">{number(row.position + 1)}</th>
              {preview.columns.flatMap(({ name }, at) => [
                ...(isNew(name) ? [] : [<td key={`${name} before`}>{shown(row.before[at])}</td>]),
                <td key={name} data-wrong={Boolean(row.errors[at]) || undefined} title={row.errors[at]}>
                  {row.errors[at] ? row.errors[at]?.split(" ")[0] : shown(row.after[at])}
                </td>,
              ])}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function shown(value: unknown) {
  if (value === null || value === undefined) return <i>empty</i>;
  return typeof value === "string" ? spaced(value) : String(value);
}

/** Spaces at the ends of a text, which could not be seen, as dots. */
function spaced(text: string) {
  return text.replace(/^\s+|\s+$/g, (spaces) => "·".repeat(spaces.length));
}

function words({ changed, failed, examined, inserted, rows }: SheetPreview): string {
  const looked = `the first ${count(examined, "row")}`;
  const reason = rows.flatMap(({ errors }) => errors).find((each) => each !== "");
  const failures = failed > 0 ? ` ${count(failed, "cell")} would show an error: ${reason?.replace(/^#\S+ /, "")}` : "";
  if (inserted.length > 0) return `Computed for ${looked}.${failures}`;
  return changed === 0
    ? `Nothing changes in ${looked}.`
    : `${count(changed, "value changes", "values change")} in ${looked}.${failures}`;
}
