import { toTsv } from "../sheet/tsv";

const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A table as spreadsheets and texts take it from the clipboard: names first, then the whole values. */
export function tableText(
  names: readonly string[],
  rows: readonly (readonly unknown[])[],
): { plain: string; html: string } {
  return { plain: toTsv([names, ...rows]), html: toHtml(names, rows) };
}

function toHtml(names: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const line = (tag: string, cells: readonly unknown[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("")}</tr>`;
  return `<table><thead>${line("th", names)}</thead><tbody>${rows.map((row) => line("td", row)).join("")}</tbody></table>`;
}

function escaped(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign).replaceAll("\n", "<br>");
}
