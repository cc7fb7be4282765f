/** A value as the page shows it. Always plain text: nothing from the data is ever read as markup. */
export type Shown = { text: string; kind: "null" | "empty" | "text" | "number" | "other" };

export function show(value: unknown): Shown {
  if (value === null || value === undefined) return { text: "null", kind: "null" };
  if (value === "") return { text: "empty text", kind: "empty" };
  if (typeof value === "string") return { text: visible(value), kind: "text" };
  if (typeof value === "number") return { text: String(value), kind: "number" };
  if (typeof value === "boolean") return { text: String(value), kind: "other" };
  return { text: visible(JSON.stringify(value)), kind: "other" };
}

// Line ends, control characters, zero-width and direction marks would otherwise hide or reorder what stands there.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const INVISIBLE = /[\u0000-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const NAMED: Record<string, string> = { "\n": "⏎", "\r": "␍", "\t": "⇥" };

function visible(text: string): string {
  return text.replace(INVISIBLE, (c) => NAMED[c] ?? `⟨${c.charCodeAt(0).toString(16).padStart(4, "0")}⟩`);
}

const NUMERIC = /^(tinyint|smallint|int|bigint|float|double|decimal)\b/;

/** Numbers are set to the right, so that digits of equal weight stand below each other. */
export function isNumeric(type: string): boolean {
  return NUMERIC.test(type);
}
