import { count } from "../text/words";
import { sourceOf } from "./cellLook";
import type { SheetRow } from "./SheetRow";
import type { CellEdit, SheetSession } from "./SheetSession";
import type { Box } from "./selection";

/** What can be done at once to rows that are named one by one. */
export const MOST_ROWS = 5000;

/** The rows of a selection, or a sentence why there are too many. */
async function chosen(session: SheetSession, box: Box): Promise<SheetRow[] | string> {
  const rows = box.bottom - box.top + 1;
  if (rows > MOST_ROWS) return `${count(rows, "row")} are too many at once: choose at most ${count(MOST_ROWS, "row")}.`;
  return session.rows(box.top, box.bottom);
}

function isEveryRow(session: SheetSession, box: Box): boolean {
  return box.top === 0 && box.bottom === session.count - 1 && session.where === undefined;
}

const columnsIn = (session: SheetSession, box: Box) => session.columns.slice(box.left, box.right + 1);

/** "in 12 of 10,000,000 rows" while a filter is on, so that nobody takes it for all. */
function among(session: SheetSession, rows: number): string {
  return session.where === undefined ? "" : ` in ${rows.toLocaleString("en")} of ${count(session.sheet.count, "row")}`;
}

/** Empty the selected cells. Answers what was done, or why not. */
export async function clearCells(session: SheetSession, box: Box): Promise<string> {
  const columns = columnsIn(session, box);
  if (isEveryRow(session, box) && box.bottom > 0) {
    for (const column of columns) session.do("set_column", { column: column.name, value: "" });
    return `Emptied ${columns.map((column) => column.name).join(", ")}.`;
  }
  const rows = await chosen(session, box);
  if (typeof rows === "string") return rows;
  put(
    session,
    rows,
    columns.map((column) => column.name),
    rows.map(() => columns.map(() => "")),
  );
  return `Emptied ${count(rows.length * columns.length, "cell")}${among(session, rows.length)}.`;
}

/** Rows that are filled one by one, so that they show what they will hold before the server has said so. */
const FEW_ROWS = 500;

/** Copy the first selected row down into the others. */
export async function fillDown(session: SheetSession, box: Box): Promise<string> {
  if (box.top === box.bottom) return "Select the cell to copy and the cells below it.";
  if (box.bottom - box.top > FEW_ROWS) return fillRange(session, box);
  const rows = await session.rows(box.top, box.bottom);
  const [first, ...rest] = rows;
  if (first === undefined) return "";
  const columns = columnsIn(session, box);
  columns.forEach((column, i) => {
    const at = box.left + i;
    const typed = session.typed(first, column.name)?.text;
    const formula = first.formulas.get(at) ?? (typed?.startsWith("=") ? typed : undefined);
    const text = typed ?? sourceOf(first.values[at]);
    const operation = {
      operation: "fill",
      arguments: { row: first.key, column: column.name, to: rest.map((row) => row.key) },
    };
    // A formula reads what stands around each cell, so only the server knows what it comes to there.
    if (formula !== undefined) session.do(operation.operation, operation.arguments);
    else
      session.edit(
        rest.map((row) => ({ key: row.key, column: column.name, text })),
        operation,
      );
  });
  return `Filled ${count(rest.length * columns.length, "cell")}${among(session, rest.length)}.`;
}

/** The same by the first and the last row alone: one operation, however many rows lie between. */
async function fillRange(session: SheetSession, box: Box): Promise<string> {
  const [first] = await session.rows(box.top, box.top);
  const [last] = await session.rows(box.bottom, box.bottom);
  if (first === undefined || last === undefined) return "";
  const columns = columnsIn(session, box);
  const isToTheEnd = box.bottom === session.count - 1;
  for (const column of columns)
    session.do("fill_down", {
      row: first.key,
      column: column.name,
      to: isToTheEnd ? null : last.key,
      where: session.where ?? null,
    });
  const rows = box.bottom - box.top;
  return `Filled ${count(rows * columns.length, "cell")}${among(session, rows)}.`;
}

/** Texts for the cells where rows and columns meet, as one operation. */
export function put(session: SheetSession, rows: SheetRow[], columns: string[], values: string[][]): void {
  const keys = rows.map((row) => row.key);
  const cells: CellEdit[] = rows.flatMap(({ key }, i) =>
    columns.map((column, j) => ({ key, column, text: values[i]?.[j] ?? "" })),
  );
  if (cells.length === 1) session.edit(cells);
  else session.edit(cells, { operation: "set_cells", arguments: { rows: keys, columns, values } });
}

export async function deleteRows(session: SheetSession, box: Box): Promise<string> {
  const rows = await chosen(session, box);
  if (typeof rows === "string") return rows;
  session.do("delete_row", { rows: rows.map((row) => row.key) });
  return `Deleted ${count(rows.length, "row")}.`;
}

export async function insertRows(session: SheetSession, box: Box, where: "above" | "below"): Promise<string> {
  const number = Math.min(MOST_ROWS, box.bottom - box.top + 1);
  const edge = where === "above" ? box.top - 1 : box.bottom;
  const [after] = edge < 0 || session.count === 0 ? [] : await session.rows(edge, edge);
  session.do("insert_row", { after: after?.key ?? null, count: number });
  return `Inserted ${count(number, "row")}.`;
}

/** One place up or down. */
export async function moveRows(session: SheetSession, box: Box, step: -1 | 1): Promise<string> {
  if ((step < 0 && box.top === 0) || (step > 0 && box.bottom >= session.count - 1)) return "There is no row beyond.";
  const rows = await chosen(session, box);
  if (typeof rows === "string") return rows;
  const edge = step < 0 ? box.top - 2 : box.bottom + 1;
  const [after] = edge < 0 ? [] : await session.rows(edge, edge);
  session.do("move_row", { rows: rows.map((row) => row.key), after: after?.key ?? null });
  return `Moved ${count(rows.length, "row")}.`;
}
