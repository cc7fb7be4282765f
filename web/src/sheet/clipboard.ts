import { sourceOf } from "./cellLook";
import type { Paste } from "./PasteDialog";
import type { SheetRow } from "./SheetRow";
import type { SheetSession } from "./SheetSession";
import type { Box } from "./selection";
import { fromTsv, toTsv } from "./tsv";

const MOST_CELLS = 200_000;

/** The selected cells as text: what is shown, formulas as what they come to. */
export function copied(session: SheetSession, rows: SheetRow[], box: Box): string {
  const columns = session.columns.slice(box.left, box.right + 1);
  return toTsv(
    rows.map((row) =>
      columns.map((column, i) => {
        const typed = session.typed(row, column.name)?.text;
        return typed ?? sourceOf(row.values[box.left + i]);
      }),
    ),
  );
}

export function isTooLarge(cells: number): boolean {
  return cells > MOST_CELLS;
}

/** A pasted text laid over the sheet from a cell on; one value fills the whole selection. */
export function pasteOver(text: string, box: Box, extent: { rows: number; columns: number }): Paste {
  const given = fromTsv(text);
  const isOne = given.length === 1 && given[0]?.length === 1;
  const height = isOne ? box.bottom - box.top + 1 : given.length;
  const width = isOne ? box.right - box.left + 1 : (given[0]?.length ?? 0);
  const rows = Math.min(height, extent.rows - box.top);
  const columns = Math.min(width, extent.columns - box.left);
  const value = (i: number, j: number) => (isOne ? given[0]?.[0] : given[i]?.[j]) ?? "";
  return {
    cells: Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => value(i, j))),
    row: box.top,
    column: box.left,
    cutRows: height - rows,
    cutColumns: width - columns,
  };
}
