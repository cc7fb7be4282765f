import { apply, findHome, type Sheet } from "./api";

/** Where the edits of a sheet went: the cell of a notebook that does them from now on. */
export type AppliedStep = { notebook: string; cell: string };

/** Saves the edits right after the cell that makes the data; undefined if no notebook makes it. */
export async function applyAtHome({ id, dataset }: Sheet): Promise<AppliedStep | undefined> {
  const home = await findHome(id);
  if (home === null) return undefined;
  const { cell } = await apply(id, { notebook: home.notebook, name: dataset, position: home.position });
  return { notebook: home.notebook, cell: cell.id };
}
