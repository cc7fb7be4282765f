import type { Json } from "./themed";

type Tip = { field?: unknown; title?: unknown; type?: unknown; format?: unknown };

/**
 * The specification with a name in words for every mark that has a tooltip: "month: 7; mean of delay: 21.7". Without it
 * Vega-Lite reads out the edges of bars ("month: 6.55; x2: 7.45; y2: 0").
 */
export function described(spec: Json): Json {
  const made = Object.fromEntries(
    Object.entries(spec).map(([part, value]) => [part, PARTS.includes(part) ? inside(value) : value]),
  );
  const encoding = made.encoding as Json | undefined;
  if (!Array.isArray(encoding?.tooltip)) return made;
  const description = { value: { expr: words(encoding.tooltip as Tip[]) } };
  return { ...made, encoding: { ...encoding, description } };
}

const PARTS = ["layer", "concat", "hconcat", "vconcat", "spec"];

function inside(part: unknown): unknown {
  if (Array.isArray(part)) return part.map((each: Json) => described(each));
  return typeof part === "object" && part !== null ? described(part as Json) : part;
}

function words(tips: Tip[]): string {
  const parts = tips.map((tip) => `${JSON.stringify(`${String(tip.title ?? tip.field)}: `)} + ${shown(tip)}`);
  return parts.join(` + "; " + `) || `""`;
}

function shown({ field, type, format }: Tip): string {
  const value = `datum[${JSON.stringify(String(field))}]`;
  const as = JSON.stringify(format ?? "");
  // A day has no time worth reading out.
  if (type === "temporal")
    return `(isValid(${value}) ? replace(timeFormat(${value}, ${as}), " 00:00", "") : "missing")`;
  if (type === "quantitative") return `(isValid(${value}) ? format(${value}, ${as}) : "missing")`;
  return `(isValid(${value}) ? ${value} : "missing")`;
}
