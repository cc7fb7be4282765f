/** The parameters that the source of a parameters cell sets: names with values, or one `name = value` a line. */
export function parametersIn(source: unknown): Record<string, unknown> {
  if (typeof source === "object" && source !== null && !Array.isArray(source)) return { ...source };
  if (typeof source !== "string") return {};
  const lines = source.split("\n").flatMap((line) => {
    const found = /^\s*([\p{L}_][\p{L}\p{N}_]*)\s*=(.*)$/u.exec(line);
    return found?.[1] ? [[found[1], readValue(found[2] ?? "")] as const] : [];
  });
  return Object.fromEntries(lines);
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.trim();
  }
}
