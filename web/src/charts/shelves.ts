import type { Json } from "../chart/themed";

/** Where a specification names a column, such as `["aes", "x"]` or `["facet", "wrap"]`. */
export type Path = readonly [string, string];

/** What stands on the shelf of a channel: a column, nothing, or something that only the JSON can say. */
export function shelfOf(spec: Json, shelf: Path): { value: string; isOther: boolean } {
  const [part, key] = shelf;
  const said = partOf(spec, part)[key];
  if (said === undefined || said === null) return { value: "", isOther: false };
  const column = typeof said === "string" ? said : (said as Json).column;
  return typeof column === "string" ? { value: column, isOther: false } : { value: "", isOther: true };
}

/** The specification with another column on a shelf; all else that it says stays. */
export function withShelf(spec: Json, [part, key]: Path, value: string): Json {
  const { [key]: _, ...others } = partOf(spec, part);
  const made = value === "" ? others : { ...others, [key]: value };
  const { [part]: __, ...rest } = spec;
  return Object.keys(made).length === 0 ? rest : { ...rest, [part]: made };
}

/** Part of a specification; what is written in a short form has no names to look at. */
function partOf(spec: Json, part: string): Json {
  const found = spec[part];
  return typeof found === "object" && found !== null ? (found as Json) : {};
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
