import type { Schemas } from "../api/client";
import { formatsOf, showIn } from "../text/numbers";
import { isNumeric, show } from "../text/value";
import { count, number } from "../text/words";
import styles from "./CellEffect.module.css";
import { effectWords } from "./effectWords";

type Preview = Schemas["PreviewRows"];
type Column = Preview["columns"][number];

/** The first rows as they would be: new and changed values set apart, rows that go struck through. */
export function EffectRows({ preview, isOld }: { preview: Preview; isOld: boolean }) {
  const { columns, rows, rows_read: read, rows_in_all: all } = preview;
  const formats = formatsOf(
    columns,
    rows.map(({ values }) => values),
  );
  const hasNumbers = rows.some(({ row }) => row !== null);
  return (
    <div data-old={isOld || undefined} className={styles.shown}>
      <p className={styles.words}>
        <strong>{effectWords(preview)}</strong> {preview.sentence}
        {read < all && ` Worked out on the first ${number(read)} of ${count(all, "row")}.`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys */}
      <section className={styles.scroll} aria-label="Rows as they would be" tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              {hasNumbers && <th scope="col">row</th>}
              {columns.map((column) => (
                <th
                  key={column.name}
                  scope="col"
                  data-change={column.change}
                  data-numeric={isNumeric(column.type) || undefined}
                >
                  {column.name}{" "}
                  {column.change !== "same" && <span className={styles.change}>{changeWords(column)}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows that the cell makes have no other name
              <tr key={place} data-dropped={row.is_dropped || undefined}>
                {hasNumbers && (
                  <th scope="row">
                    {row.row === null ? "" : number(row.row + 1)}
                    {row.is_dropped && <span className="visually-hidden"> goes</span>}
                  </th>
                )}
                {row.values.map((value, position) => {
                  const shown = show(value);
                  const isChanged = row.changed.includes(position) || columns[position]?.change === "new";
                  const isDoubtful = row.doubtful.includes(position);
                  return (
                    <td
                      key={columns[position]?.name}
                      data-kind={shown.kind}
                      data-numeric={isNumeric(columns[position]?.type ?? "") || undefined}
                      data-changed={isChanged || undefined}
                      data-doubt={isDoubtful || undefined}
                    >
                      {showIn(formats[position], value)}
                      {row.changed.includes(position) && <span className="visually-hidden"> (changed)</span>}
                      {isDoubtful && <span className="visually-hidden"> (doubtful)</span>}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

function changeWords({ change, was, type }: Column): string {
  if (change === "renamed") return `was ${was}`;
  if (change === "changed" && was !== "") return `${was} → ${type}`;
  return change;
}
