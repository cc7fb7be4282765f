import type { NotebookCell } from "../api/notebooks";
import { count } from "../text/words";

/** A cell in a few words: the heading of a note, the dataset it makes, else the first line it says. */
export function titleOf(cell: NotebookCell): string {
  const { source, name } = cell.values;
  const text = typeof source === "string" ? source : "";
  if (cell.kind === "markdown") return /^#+\s*(.+)$/m.exec(text)?.[1] ?? firstLine(text) ?? "note";
  if (typeof name === "string" && name !== "") return cell.kind === "sheet" ? `${name}${editsIn(cell)}` : name;
  if (cell.datasets.length > 0) return cell.datasets.map((dataset) => dataset.name).join(", ");
  return firstLine(text) ?? cell.kind;
}

/** A sheet often keeps the name of what it edits, so its title says how many edits it holds. */
function editsIn({ values: { operations } }: NotebookCell): string {
  return Array.isArray(operations) && operations.length > 0 ? `, ${count(operations.length, "edit")}` : "";
}

function firstLine(text: string): string | undefined {
  return text
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "");
}
