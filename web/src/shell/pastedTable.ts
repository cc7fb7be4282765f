const SEPARATORS = [
  { mark: "\t", words: "tabs", ending: "tsv" },
  { mark: ";", words: "semicolons", ending: "csv" },
  { mark: ",", words: "commas", ending: "csv" },
] as const;

export type PastedTable = { lines: number; columns: number; words: string; ending: string };

/** How a pasted text reads as a table: the separator is the first that stands in its first line. */
export function describeTable(text: string): PastedTable | undefined {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
  const [head] = lines;
  if (head === undefined) return undefined;
  const found = SEPARATORS.find(({ mark }) => head.includes(mark));
  const { words, ending } = found ?? { words: "nothing", ending: "csv" };
  return { lines: lines.length, columns: found ? unquoted(head).split(found.mark).length : 1, words, ending };
}

/** Separators in quotes are part of a value. */
function unquoted(line: string): string {
  return line.replace(/"(?:[^"]|"")*"/g, "");
}

/** The text as a file to load; the server finds out the rest, as with any file. */
export function asFile(name: string, text: string, { ending }: PastedTable): File {
  return new File([text], `${name.replace(/[/\\]/g, "_")}.${ending}`, { type: "text/plain" });
}

/** A name that no dataset has yet: pasted, pasted_2. */
export function freeName(name: string, taken: string[]): string {
  const known = new Set(taken.map((each) => each.toLowerCase()));
  let found = name;
  for (let number = 2; known.has(found.toLowerCase()); number += 1) found = `${name}_${number}`;
  return found;
}
