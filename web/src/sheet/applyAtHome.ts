import { apply, findHome, type Sheet } from "./api";

/** Saves the edits right after the cell that makes the data, and names its notebook; undefined if no notebook makes it. */
export async function applyAtHome({ id, dataset }: Sheet): Promise<string | undefined> {
  const home = await findHome(id);
  if (home === null) return undefined;
  await apply(id, { notebook: home.notebook, name: dataset, position: home.position });
  return home.notebook;
}
