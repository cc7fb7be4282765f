import type { Json } from "../chart/themed";

export const CHANNELS = ["x", "y", "color", "size"] as const;
export type Shelf = (typeof CHANNELS)[number] | "facet" | "stat" | "geom";

export const STATS = [
  "identity",
  "count",
  "sum",
  "mean",
  "median",
  "min",
  "max",
  "distinct",
  "stddev",
  "bin",
  "bin2d",
  "box",
  "density",
  "ecdf",
  "cumulative",
  "smooth",
];
export const GEOMS = ["bar", "line", "area", "point", "histogram", "box", "violin", "tick", "cell", "text"];

/** What stands on a shelf: a name, nothing, or something that only the JSON can say. */
export function shelfOf(spec: Json, shelf: Shelf): { value: string; isOther: boolean } {
  const said = find(spec, shelf);
  if (said === undefined || said === null) return { value: "", isOther: false };
  if (typeof said === "string") return { value: said, isOther: false };
  if (shelf === "stat" || shelf === "geom") {
    const type = (said as Json).type;
    return typeof type === "string" ? { value: type, isOther: false } : { value: "", isOther: true };
  }
  const column = (said as Json).column;
  return typeof column === "string" ? { value: column, isOther: false } : { value: "", isOther: true };
}

function find(spec: Json, shelf: Shelf): unknown {
  if (shelf === "stat" || shelf === "geom") return spec[shelf];
  if (shelf === "facet") return (spec.facet as Json | undefined)?.wrap;
  return (spec.aes as Json | undefined)?.[shelf];
}

/** The specification with something else on a shelf; all else that it says stays. */
export function withShelf(spec: Json, shelf: Shelf, value: string): Json {
  if (shelf === "stat" || shelf === "geom") {
    const { [shelf]: _, ...rest } = spec;
    return value === "" ? rest : { ...rest, [shelf]: value };
  }
  const part = shelf === "facet" ? "facet" : "aes";
  const key = shelf === "facet" ? "wrap" : shelf;
  const { [key]: _, ...others } = (spec[part] ?? {}) as Json;
  const made = value === "" ? others : { ...others, [key]: value };
  const { [part]: __, ...rest } = spec;
  return Object.keys(made).length === 0 ? rest : { ...rest, [part]: made };
}

/** What was typed as a specification, or what is wrong with it. */
export function readSpec(text: string): { spec: Json } | { problem: string } {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === "object" && read !== null && !Array.isArray(read)) return { spec: read as Json };
    return { problem: "A specification is an object: { … }." };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : "This is not JSON." };
  }
}

/** As people write it: short parts on one line. */
export function writeSpec(spec: Json): string {
  const parts = Object.entries(spec).map(([key, value]) => `  ${JSON.stringify(key)}: ${inLine(value)}`);
  return parts.length === 0 ? "{}" : `{\n${parts.join(",\n")}\n}`;
}

function inLine(value: unknown): string {
  const flat = JSON.stringify(value).replaceAll('":', '": ').replaceAll(',"', ', "').replaceAll("},{", "}, {");
  return sameAs(flat, value) && flat.length <= 60 ? flat : JSON.stringify(value, null, 2).replaceAll("\n", "\n  ");
}

/** Spaces must not have gone into a text. */
function sameAs(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

/** The size a chart gets on a page of its own, unless it says which. */
export function sized(spec: Json): Json {
  if (spec.facet !== undefined || spec.width !== undefined || spec.height !== undefined || "mark" in spec) return spec;
  return { ...spec, width: 540, height: 320 };
}
