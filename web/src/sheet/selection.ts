import type { Cursor } from "../grid/moves";

/** A rectangle of cells between two corners: one stays where it is, the other moves. */
export type Selection = { anchor: Cursor; cursor: Cursor };
export type Box = { top: number; left: number; bottom: number; right: number };

export function single(cursor: Cursor): Selection {
  return { anchor: cursor, cursor };
}

/** The rows and columns of a selection, ends included. */
export function boxOf({ anchor, cursor }: Selection): Box {
  return {
    top: Math.min(anchor.row, cursor.row),
    bottom: Math.max(anchor.row, cursor.row),
    left: Math.min(anchor.column, cursor.column),
    right: Math.max(anchor.column, cursor.column),
  };
}

export function cellsIn({ top, left, bottom, right }: Box): number {
  return (bottom - top + 1) * (right - left + 1);
}

/** The same selection in a sheet that has become smaller; none if nothing is left. */
export function within(selection: Selection, rows: number, columns: number): Selection | undefined {
  if (rows === 0 || columns === 0) return undefined;
  const clamp = ({ row, column }: Cursor) => ({ row: Math.min(row, rows - 1), column: Math.min(column, columns - 1) });
  const next = { anchor: clamp(selection.anchor), cursor: clamp(selection.cursor) };
  return isSame(next, selection) ? selection : next;
}

function isSame(one: Selection, other: Selection): boolean {
  return isAt(one.anchor, other.anchor) && isAt(one.cursor, other.cursor);
}

export function isAt(one: Cursor, other: Cursor): boolean {
  return one.row === other.row && one.column === other.column;
}

/** The columns of a row that are selected, if any. */
export function spanIn(box: Box | undefined, row: number): { left: number; right: number } | undefined {
  return box !== undefined && row >= box.top && row <= box.bottom ? { left: box.left, right: box.right } : undefined;
}
