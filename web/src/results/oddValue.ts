import type { Page } from "../api/client";

/** The parameters of an explain cell about one value. */
export type OddValue = { source: string; column: string; outliers: [number]; direction: "high" | "low" };

/** The question why one value of a page looks odd: too high or too low among the others of its column. */
export function oddValue(page: Page, row: number | undefined, column: string | undefined): OddValue | undefined {
  const place = page.rids.indexOf(row ?? -1);
  const position = page.columns.findIndex(({ name }) => name === column);
  const value = Number(page.rows[place]?.[position] ?? Number.NaN);
  if (row === undefined || column === undefined || Number.isNaN(value)) return undefined;
  const others = page.rows.filter((_, i) => i !== place).map((values) => Number(values[position] ?? Number.NaN));
  const below = others.filter((other) => other < value).length;
  const above = others.filter((other) => other > value).length;
  return { source: page.name, column, outliers: [row], direction: below >= above ? "high" : "low" };
}
