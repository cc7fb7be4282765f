import type { Dataset } from "../api/client";
import type { NotebookCell } from "../api/notebooks";

export type NamedDataset = {
  name: string;
  columns: { name: string; type: string }[];
  rows?: number;
  version?: number;
};

/** What the text of a cell may name. */
export type Names = { datasets: NamedDataset[]; parameters: string[] };

/** All that a notebook's cells may name: the datasets of the workspace and the parameters its cells set. */
export function namesOf(datasets: Dataset[], cells: NotebookCell[]): Names {
  const set = cells.filter((cell) => cell.kind === "parameters").flatMap((cell) => parametersIn(cell.values.source));
  return {
    datasets: datasets.map(({ name, columns, rows, version }) => ({ name, columns, rows, version })),
    parameters: [...new Set(set)],
  };
}

/** The names a parameters cell sets, written as a mapping or as lines of `name = value`. */
export function parametersIn(source: unknown): string[] {
  if (typeof source === "string")
    return source.split("\n").flatMap((line) => /^\s*([A-Za-z_]\w*)\s*=/.exec(line)?.[1] ?? []);
  return source !== null && typeof source === "object" ? Object.keys(source) : [];
}
