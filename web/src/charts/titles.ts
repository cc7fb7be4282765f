import { sentence } from "../text/words";
import type { DrawnChart } from "./api";

/** What the axes and legends of a chart call the columns of its marks. */
export function titlesOf({ vega, value }: Pick<DrawnChart, "vega" | "value">): Map<string, string> {
  const titles = new Map<string, string>();
  // Marks that are moved or stacked are drawn from other fields than those that they are known by.
  const known: Record<string, string> = { _x: "x", _value: value };
  const look = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const { field, title } = part as { field?: unknown; title?: unknown };
    if (typeof field === "string" && typeof title === "string" && title !== "") {
      const column = known[field] ?? field;
      if (!titles.has(column)) titles.set(column, title);
    }
    for (const each of Object.values(part)) look(each);
  };
  look(vega);
  return titles;
}

/** A mark in words: "Average price, Rheinwerk", "Mean of delay, month 7". */
export function markTitle(titles: Map<string, string>, values: Record<string, unknown>, measure: string): string {
  const said = (column: string) => (titles.get(column) ?? column).replaceAll("_", " ");
  const keys = Object.entries(values).filter(
    ([column, value]) => column !== measure && (column === "x" || typeof value === "string"),
  );
  const parts = keys.map(([column, value]) =>
    typeof value === "string" ? value : `${said(column)} ${value === null ? "missing" : String(value)}`,
  );
  return [sentence(said(measure)), ...parts].join(", ");
}
