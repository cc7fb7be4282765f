import type { Schemas } from "../api/client";
import { withoutNoise } from "../text/numbers";
import { show } from "../text/value";
import { count } from "../text/words";

/** In what a dataset differs between two versions, each difference in a few words. */
export function differences({ columns, values }: Schemas["DatasetComparison"]): string[] {
  const found = [
    ...columns.map(columnWords),
    ...(values?.columns ?? []).map(valueWords),
    values?.added ? `${count(values.added, "row")} new` : "",
    values?.removed ? `${count(values.removed, "row")} gone` : "",
  ].filter((words) => words !== "");
  if (found.length > 0) return found;
  return [values === null ? "values may differ: too many rows to compare here" : "the same rows and values"];
}

function columnWords({ column, before, after }: Schemas["ChangedColumn"]): string {
  if (before === null) return `${column} (new)`;
  return after === null ? `${column} (gone)` : `${column} (${before} → ${after})`;
}

/** "price: null → 21", or "12 values of price, such as null → 21". */
function valueWords({ column, count: times, before, after }: Schemas["ColumnDifference"]): string {
  const change = `${shown(before)} → ${shown(after)}`;
  return times === 1 ? `${column}: ${change}` : `${count(times, "value")} of ${column}, such as ${change}`;
}

function shown(value: unknown): string {
  const { text, kind } = show(value);
  return (kind === "number" ? withoutNoise(text) : undefined) ?? text;
}
