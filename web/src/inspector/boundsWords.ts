import type { Schemas } from "../api/client";
import { show } from "../text/value";

type CellBounds = Schemas["CellBounds"];
type ColumnWidth = Schemas["ColumnWidth"];

/** What every display of bounds adds: they hold as far as the stated ranges do. */
export const STATED = "given what caveats state";

/** A value and between which values it lies: "136 (between 121 and 189, or missing)". */
export function boundsWords({ low, best, high, may_be_missing: mayBeMissing }: CellBounds): string {
  const [least, greatest] = [low, high].map((end) => (end === null ? undefined : show(end).text));
  const value = best === null ? "missing" : show(best).text;
  const also = mayBeMissing && best !== null ? ", or missing" : "";
  if (least === undefined && greatest === undefined) return `${value} (could be anything)`;
  if (least === undefined) return `${value} (at most ${greatest}${also})`;
  if (greatest === undefined) return `${value} (at least ${least}${also})`;
  if (least === greatest && least === value) return also ? `${value} (or missing)` : value;
  return `${value} (between ${least} and ${greatest}${also})`;
}

/** The same as a sentence, with the reason. What was loaded is made from nothing else, so it alone has no range. */
export function boundsSentence(bounds: CellBounds, isSource: boolean): [words: string, why: string] {
  if (isSource && bounds.low === null && bounds.high === null)
    return ["It could be anything.", "No caveat states a range for it."];
  return [`${boundsWords(bounds)}, ${STATED}.`, bounds.why];
}

/** Whether a cell could hold another value than it does. */
export function isWide({ low, best, high, may_be_missing: mayBeMissing }: CellBounds): boolean {
  return low !== best || high !== best || (mayBeMissing && best !== null);
}

/** How wide the bounds of a column are at most, in few words for its header: "37 % wide". */
export function widthWords({ widest, unknown }: ColumnWidth): string {
  if (widest === null) return "";
  return `${unknown > 0 ? "≥ " : ""}${percent(widest)} wide`;
}

/** The same in a sentence, with the reason for what is unknown. */
export function widthSentence(width: ColumnWidth): string {
  const { widest, unknown, doubtful, row, why } = width;
  const known =
    widest === null || row === null
      ? ""
      : `The widest bounds span ${percent(widest)} of their value, in row ${row + 1}, ${STATED}. `;
  const open = unknown === 0 ? "" : `${unknown} of ${doubtful} doubtful cells could be anything. ${why}`;
  return `${known}${open}`.trim();
}

export function percent(share: number): string {
  const shown = share * 100;
  return `${shown >= 10 || shown === 0 ? Math.round(shown) : shown.toPrecision(1)} %`;
}
