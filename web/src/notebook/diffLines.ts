import type { Schemas } from "../api/client";
import { editsOf, editWords } from "./sheetEdits";
import { withShortUploads } from "./uploads";

const EDIT = /^([-+ ])operations: (\{.*\})$/;

/** The lines of a comparison as they are read: edits of a sheet in words, and files by their names. */
export function diffLines({ kind, diff }: Pick<Schemas["CellComparison"], "kind" | "diff">): string[] {
  const lines = diff.split("\n").filter((line) => !line.startsWith("@"));
  const edits = kind === "sheet" ? lines.map((line) => editsOf(`[${EDIT.exec(line)?.[2] ?? ""}]`)?.[0]) : [];
  // Together, because an edit may name a column that another one inserts.
  const words = editWords(edits.filter((edit) => edit !== undefined));
  return lines.map((line, place) =>
    edits[place] === undefined ? withShortUploads(line) : `${line.charAt(0)}${words.shift()}`,
  );
}
