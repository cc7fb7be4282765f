import type { Kind, NotebookCell } from "../api/notebooks";

/** The dataset that a new cell probably reads: the last one that a cell above it makes; none for other kinds. */
export function sourceAbove(
  kind: Pick<Kind, "parameters"> | undefined,
  cells: readonly Pick<NotebookCell, "id" | "kind" | "datasets">[],
  id: string,
): string | undefined {
  if (!kind?.parameters.some(({ name, kind: holds }) => name === "source" && holds === "dataset")) return undefined;
  const above = cells.slice(
    0,
    cells.findIndex((cell) => cell.id === id),
  );
  return above.findLast(isTable)?.datasets.at(-1)?.name;
}

/** Whether what a cell makes is more than the marks of a picture. */
function isTable({ kind, datasets }: Pick<NotebookCell, "kind" | "datasets">): boolean {
  return kind !== "chart" && datasets.length > 0;
}
