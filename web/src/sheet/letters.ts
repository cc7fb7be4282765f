import type { Cursor } from "../grid/moves";

/** The letters by which formulas call a column: A, B, ... Z, AA, AB. */
export function letters(column: number): string {
  const rest = column % 26;
  const ahead = column < 26 ? "" : letters((column - rest) / 26 - 1);
  return ahead + String.fromCharCode(65 + rest);
}

/** The column that letters stand for, counted from 0. */
export function columnOf(text: string): number {
  return [...text.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** B2: as formulas call a cell. Rows are counted from 1 there. */
export function cellName({ row, column }: Cursor): string {
  return `${letters(column)}${row + 1}`;
}

type Extent = { rows: number; columns: readonly string[] };

/** The place that somebody means by B2, 12:price, #12 or 12; rows are counted from 1. A sentence if it is none. */
export function readPlace(text: string, from: Cursor, extent: Extent): Cursor | string {
  const asked = text.trim();
  const named = /^(\d{1,15})\s*:\s*(.+)$/.exec(asked);
  const lettered = /^\$?([A-Za-z]{1,3})\$?(\d{1,15})$/.exec(asked);
  const numbered = /^#?(\d[\d,]{0,19})$/.exec(asked);
  let column = from.column;
  if (named) column = columnNamed(named[2] ?? "", extent.columns);
  else if (lettered) column = columnOf(lettered[1] ?? "");
  else if (!numbered) return `${asked} is no place: write B2, 12:price or #12.`;
  const row = Number((named?.[1] ?? lettered?.[2] ?? numbered?.[1] ?? "").replaceAll(",", "")) - 1;
  if (column < 0 || column >= extent.columns.length) return `There is no such column: ${asked}.`;
  if (row < 0 || row >= extent.rows) return `There is no row ${row + 1}: the last is ${extent.rows}.`;
  return { row, column };
}

function columnNamed(name: string, columns: readonly string[]): number {
  const exact = columns.indexOf(name);
  if (exact >= 0) return exact;
  const found = columns.findIndex((column) => column.toLowerCase() === name.toLowerCase());
  return found < 0 && /^[A-Za-z]{1,3}$/.test(name) ? columnOf(name) : found;
}
