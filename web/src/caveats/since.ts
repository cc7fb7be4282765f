/** A version that caveats are compared with; none is chosen yet where there is no number. */
export type Since = { kind: "dataset" | "notebook"; name: string; version?: number };

/** Reads `dataset:prices@1` or `notebook:tour@12` out of the address. */
export function parseSince(text: string | undefined): Since | undefined {
  const found = /^(dataset|notebook):(.+)@(\d{0,9})$/s.exec(text ?? "");
  if (found === null) return undefined;
  const [, kind, name = "", version = ""] = found;
  return {
    kind: kind === "dataset" ? "dataset" : "notebook",
    name,
    ...(version !== "" && { version: Number(version) }),
  };
}

export function formatSince({ kind, name, version }: Since): string {
  return `${kind}:${name}@${version ?? ""}`;
}
