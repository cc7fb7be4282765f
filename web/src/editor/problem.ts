import type { NotebookCell } from "../api/notebooks";

export type Problem = { from: number; to: number; message: string };

/** Where in a cell's text its error is to be underlined; undefined if the error names no place that is there. */
export function problemIn(text: string, error: NotebookCell["error"]): Problem | undefined {
  if (!error || error.line === null) return undefined;
  const lines = text.split("\n");
  const line = lines[error.line - 1];
  if (line === undefined) return undefined;
  const start = lines.slice(0, error.line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const column = error.column === null ? undefined : Math.max(0, error.column - 1);
  if (column !== undefined && column < line.length) {
    const word = /^(?:`[^`]*`|[\w.]+|.)/.exec(line.slice(column))?.[0] ?? "";
    return { from: start + column, to: start + column + Math.max(1, word.length), message: error.message };
  }
  const indent = line.length - line.trimStart().length;
  return { from: start + Math.min(indent, line.length), to: start + line.length, message: error.message };
}
