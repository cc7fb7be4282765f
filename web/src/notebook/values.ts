/** A value as it stands in a form field. */
export function asText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join(", ");
  return JSON.stringify(value);
}

/** What a form field says, as the parameter wants it; null takes the parameter away. */
export function fromText(type: string, text: string): unknown {
  if (text.trim() === "") return null;
  if (type === "number") return Number.isFinite(Number(text)) ? Number(text) : text;
  if (type === "flag") return text === "true";
  if (type === "columns" || type === "datasets" || type === "texts") return text.split(",").map((each) => each.trim());
  if (type === "value" || type === "mapping" || type === "entries") {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}
