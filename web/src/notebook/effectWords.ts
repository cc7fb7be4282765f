import type { Schemas } from "../api/client";
import { count } from "../text/words";

type Effect = Pick<
  Schemas["PreviewRows"],
  "changed_values" | "doubtful_values" | "dropped_rows" | "columns" | "dropped_columns" | "rows"
>;

/** What a cell would do, counted: "3 values change, 2 rows go, 1 new column." */
export function effectWords(effect: Effect): string {
  const made = effect.columns.filter(({ change }) => change === "new").length;
  const goes = (n: number) => (n === 1 ? "goes" : "go");
  const parts = [
    effect.changed_values > 0 &&
      `${count(effect.changed_values, "value")} ${effect.changed_values === 1 ? "changes" : "change"}`,
    effect.doubtful_values > 0 && `${count(effect.doubtful_values, "value")} in doubt`,
    effect.dropped_rows > 0 && `${count(effect.dropped_rows, "row")} ${goes(effect.dropped_rows)}`,
    made > 0 && count(made, "new column"),
    effect.dropped_columns.length > 0 &&
      `${count(effect.dropped_columns.length, "column")} ${goes(effect.dropped_columns.length)}`,
  ].filter((part) => part !== false);
  if (parts.length > 0) return `${parts.join(", ")}.`;
  const isOther = effect.rows.some(({ row }) => row === null) || effect.columns.some(({ change }) => change !== "same");
  return isOther ? "" : "No value changes.";
}
