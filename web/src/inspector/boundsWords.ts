import type { Schemas } from "../api/client";
import { show } from "../text/value";

type CellBounds = Schemas["CellBounds"];

/** Between which values a cell lies, in words: "between 121 and 189, or missing". */
export function boundsWords({ low, best, high, may_be_missing: mayBeMissing }: CellBounds): string {
  const [least, greatest] = [low, high].map((end) => (end === null ? undefined : show(end).text));
  const also = mayBeMissing && best !== null ? ", or missing" : "";
  if (least === undefined && greatest === undefined) return "It could be anything.";
  if (least === undefined) return `At most ${greatest}${also}.`;
  if (greatest === undefined) return `At least ${least}${also}.`;
  return least === greatest ? `It is ${least}${also}.` : `Between ${least} and ${greatest}${also}.`;
}
