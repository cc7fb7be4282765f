import { fromText } from "./values";

export type Pair = { name: string; value: string };

/** The names and values of a mapping as it is stored; undefined if the text is something else. */
export function pairsOf(text: string): Pair[] | undefined {
  if (text.trim() === "") return [];
  const mapping = fromText("mapping", text);
  if (mapping === null || typeof mapping !== "object" || Array.isArray(mapping)) return undefined;
  return Object.entries(mapping).map(([name, value]) => ({ name, value: shownValue(value) }));
}

/** A mapping as it is stored; pairs that hold nothing are left out. */
export function textOfPairs(pairs: Pair[]): string {
  const filled = pairs.filter(({ name, value }) => name !== "" || value !== "");
  if (filled.length === 0) return "";
  return JSON.stringify(
    Object.fromEntries(filled.map(({ name, value }) => [name, value.trim() === "" ? value : fromText("value", value)])),
  );
}

/** A value as a field shows it: text as it is, unless it reads as a number or another value. */
export function shownValue(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return value !== "" && typeof fromText("value", value) === "string" && !value.startsWith('"')
    ? value
    : JSON.stringify(value);
}
