import { type FocusEvent, type KeyboardEvent, useRef, useState } from "react";
import type { Schemas } from "../api/client";
import { type Cursor, move } from "../grid/moves";
import { isNumeric, show } from "../text/value";
import styles from "./Preview.module.css";

export type OnCell = (row: number, column: string) => void;

type Props = { label: string; page: Schemas["Page"]; onCell: OnCell };

const PAGE_ROWS = 5;

/** A few rows as one stop of the Tab key: the arrow keys go from value to value, Enter leads to its origin. */
export function PreviewRows({ label, page, onCell }: Props) {
  const table = useRef<HTMLTableElement>(null);
  const [cursor, setCursor] = useState<Cursor>({ row: 0, column: 0 });
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
    const { row, column } = event.target.dataset;
    if (row !== undefined && column !== undefined) setCursor({ row: Number(row), column: Number(column) });
  };
  // A table whose arrow keys move is a grid.
  const grid = { role: "grid", "aria-label": label, "aria-readonly": true };
  return (
    <div className={styles.scroll}>
      <table ref={table} {...grid} className={styles.table} onKeyDown={onKeyDown} onFocus={onFocus}>
        <thead>
          <tr>
            {page.columns.map((column) => (
              <th key={column.name} scope="col" title={column.type} data-numeric={isNumeric(column.type) || undefined}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {page.rows.map((row, place) => (
            <tr key={page.rids[place]} data-doubt={page.row_marks[place] || undefined}>
              {row.map((value, position) => {
                const shown = show(value);
                const isDoubtful = page.marks[place]?.includes(position);
                const isHere = cursor.row === place && cursor.column === position;
                return (
                  <td
                    key={page.columns[position]?.name}
                    data-kind={shown.kind}
                    data-numeric={isNumeric(page.columns[position]?.type ?? "") || undefined}
                    data-doubt={isDoubtful || undefined}
                  >
                    <button
                      type="button"
                      className={styles.value}
                      tabIndex={isHere ? 0 : -1}
                      data-row={place}
                      data-column={position}
                      onClick={() => onCell(page.rids[place] ?? 0, page.columns[position]?.name ?? "")}
                    >
                      {shown.text}
                      {isDoubtful && <span className="visually-hidden"> (doubtful)</span>}
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
