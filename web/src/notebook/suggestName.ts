import type { Kind, Notebook, NotebookCell } from "../api/notebooks";
import type { Names } from "../editor/names";

/** What a new cell calls its result if its user does not say; undefined for kinds whose point is the name. */
export function suggestName(
  cell: NotebookCell,
  kind: Kind,
  notebook: Pick<Notebook, "cells">,
  names: Names,
  source: string,
): string | undefined {
  const asks = kind.parameters.some(({ name, is_required }) => name === "name" && is_required);
  if (!asks || kind.name === "rename_dataset") return undefined;
  const others = notebook.cells.filter(({ id }) => id !== cell.id);
  const taken = new Set([...names.datasets.map(({ name }) => name), ...others.map(({ values }) => values.name)]);
  const file = kind.name === "load" ? stemOf(source) : "";
  if (file !== "" && !taken.has(file)) return file;
  const stem = kind.name;
  for (let n = 1; ; n++) if (!taken.has(`${stem}_${n}`)) return `${stem}_${n}`;
}

/** "prices" of "/data/prices.csv". */
function stemOf(path: string): string {
  const file = path.trim().split(/[/\\]/).at(-1) ?? "";
  return file.replace(/\.[^.]*$/, "");
}
