import { show } from "./value";
import { number } from "./words";

type Column = { name: string; type: string };
type Cell = { columns: readonly Column[]; values: readonly unknown[]; position: number; row: number };

const MOST_LETTERS = 60;

/** A cell in words, as it is read out: "average price, Rheinwerk: 3.52, doubtful". */
export function cellName(cell: Cell, shown: string, notes: readonly (string | false | undefined)[]): string {
  const column = inWords(cell.columns[cell.position]?.name ?? "");
  return [`${column}, ${rowName(cell)}: ${shown}`, ...notes.filter(Boolean)].join(", ");
}

/** What a row is called: its first text, unless the cell itself is that text; else its number, counted from 1. */
function rowName({ columns, values, position, row }: Cell): string {
  const at = columns.findIndex((column, i) => column.type === "string" && isName(values[i]));
  return at < 0 || at === position ? rowWords(row) : show(values[at]).text;
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "" && value.length <= MOST_LETTERS;
}

/** A row as a reader counts it: the first is row 1. The library, and the address, count ids from 0. */
export function rowWords(id: number): string {
  return `row ${number(id + 1)}`;
}

/** average_price: average price. */
export function inWords(name: string): string {
  return name.replaceAll("_", " ").trim() || name;
}
