import { type FocusEvent, type KeyboardEvent, useMemo, useRef, useState } from "react";
import type { Schemas } from "../api/client";
import { type Cursor, move } from "../grid/moves";
import type { Sort } from "../results/rowView";
import type { Place } from "../state/place";
import { cellName } from "../text/cellName";
import { formatsOf, showIn } from "../text/numbers";
import { isNumeric, show } from "../text/value";
import styles from "./Preview.module.css";
import { useKeepInView } from "./useKeepInView";

export type OnCell = (row: number, column: string) => void;

type Props = {
  label: string;
  page: Pick<Schemas["Page"], "columns" | "rows" | "rids" | "marks" | "row_marks"> & {
    written?: number[][];
  };
  /** The value that the inspector is about, if it is one of these. */
  selected: Place | undefined;
  sort?: Sort | undefined;
  onCell: OnCell;
  /** A click on the name of a column; undefined where the order stays. */
  onSort?: ((column: string) => void) | undefined;
};

const PAGE_ROWS = 5;
const SORTED = { asc: "ascending", desc: "descending" } as const;

/** A few rows as one stop of the Tab key: the arrow keys go from value to value, Enter leads to its origin. */
export function PreviewRows({ label, page, selected, sort, onCell, onSort }: Props) {
  const table = useRef<HTMLTableElement>(null);
  const [cursor, setCursor] = useState<Cursor>({ row: 0, column: 0 });
  const { row, column } = selected ?? {};
  const formats = useMemo(() => formatsOf(page.columns, page.rows), [page]);
  useKeepInView(table, row, column);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey) return;
    const extent = { rows: page.rows.length, columns: page.columns.length, pageRows: PAGE_ROWS };
    const target = move(cursor, event, extent);
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    valueAt(table.current, target)?.focus();
  };
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const at = event.target.dataset;
    if (at.row !== undefined && at.column !== undefined) setCursor({ row: Number(at.row), column: Number(at.column) });
  };
  // A table whose arrow keys move is a grid.
  const grid = { role: "grid", "aria-label": label, "aria-readonly": true };
  return (
    <div className={styles.scroll}>
      <table ref={table} {...grid} className={styles.table} onKeyDown={onKeyDown} onFocus={onFocus}>
        <thead>
          <tr>
            {page.columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                title={column.type}
                data-numeric={isNumeric(column.type) || undefined}
                aria-sort={sort?.column === column.name ? SORTED[sort.direction] : undefined}
              >
                {onSort === undefined ? (
                  column.name
                ) : (
                  // By keys the tools sort: a grid is one stop of the Tab key.
                  <button type="button" tabIndex={-1} className={styles.sort} onClick={() => onSort(column.name)}>
                    {column.name}
                    {sort?.column === column.name && (
                      <span aria-hidden="true">{sort.direction === "asc" ? " ↑" : " ↓"}</span>
                    )}
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {page.rows.map((values, place) => (
            <tr key={page.rids[place]} data-doubt={page.row_marks[place] || undefined}>
              {values.map((value, position) => {
                const text = showIn(formats[position], value);
                const isDoubtful = page.marks[place]?.includes(position);
                const isWritten = page.written?.[place]?.includes(position);
                const name = page.columns[position]?.name;
                const chosen = row === page.rids[place] && column === name ? { "aria-selected": true } : {};
                const isHere = cursor.row === place && cursor.column === position;
                return (
                  <td
                    key={name}
                    {...chosen}
                    data-kind={show(value).kind}
                    data-numeric={isNumeric(page.columns[position]?.type ?? "") || undefined}
                    data-doubt={isDoubtful || undefined}
                    data-written={isWritten || undefined}
                  >
                    <button
                      type="button"
                      className={styles.value}
                      tabIndex={isHere ? 0 : -1}
                      data-row={place}
                      data-column={position}
                      aria-label={cellName(
                        { columns: page.columns, values, position, row: page.rids[place] ?? place },
                        text,
                        [isDoubtful && "doubtful", isWritten && "not data"],
                      )}
                      onClick={() => onCell(page.rids[place] ?? 0, name ?? "")}
                    >
                      {text}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function valueAt(table: HTMLElement | null, { row, column }: Cursor): HTMLElement | null | undefined {
  return table?.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`);
}
