/** A value as it stands in a form field. */
export function asText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join(", ");
  return JSON.stringify(value);
}

/** What a form field says, as the parameter wants it; null takes the parameter away. */
export function fromText(kind: string, text: string): unknown {
  if (text.trim() === "") return null;
  if (kind === "number" || kind === "whole") return Number.isFinite(Number(text)) ? Number(text) : text;
  if (kind === "flag") return text === "true";
  if (kind === "columns" || kind === "datasets" || kind === "texts") return text.split(",").map((each) => each.trim());
  if (["value", "values", "numbers", "mapping", "entries"].includes(kind)) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}
