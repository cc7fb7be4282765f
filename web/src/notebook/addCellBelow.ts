import type { QueryClient } from "@tanstack/react-query";
import { client, type Dataset, unwrap } from "../api/client";
import { type Notebook, readNotebook } from "../api/notebooks";
import { lastNotebook } from "../state/lastNotebook";
import { goTo } from "../state/place";
import { say } from "../state/toast";
import { focusCellOnceThere } from "./focusCell";

export type NewCell = { kind: string; values: Record<string, unknown>; is_draft: boolean };

/**
 * Adds a cell that reads the dataset, below the one that makes it, shows it, and returns how to undo that.
 * Where it also reads others of the notebook, it stands below the last of their cells.
 */
export async function addCellBelow(queries: QueryClient, dataset: Dataset, cell: NewCell, others: string[] = []) {
  const notebooks = await unwrap(client.GET("/api/notebooks"));
  const name = dataset.notebook ?? lastNotebook(notebooks) ?? "Untitled";
  if (!notebooks.includes(name)) await unwrap(client.POST("/api/notebooks", { body: { name } }));
  const notebook = await queries.fetchQuery(readNotebook(name));
  const place = Math.max(...[dataset.name, ...others].map((each) => makerOf(notebook, each)));
  const { cell: added } = await unwrap(
    client.POST("/api/notebooks/{name}/cells", {
      params: { path: { name } },
      body: { ...cell, ...(place >= 0 && { position: place + 1 }) },
    }),
  );
  await queries.invalidateQueries({ queryKey: ["notebook", name] });
  await rereadRail(queries);
  goTo({ notebook: name });
  focusCellOnceThere(added?.id);
  return undoOf(queries, name, notebook.version);
}

/** Brings back the version before an edit. */
export function undoOf(queries: QueryClient, name: string, version: number) {
  const restore = async () => {
    const params = { path: { name } };
    await unwrap(client.POST("/api/notebooks/{name}/restore", { params, body: { version } }));
    await queries.invalidateQueries({ queryKey: ["notebook", name] });
    await rereadRail(queries);
  };
  const complain = (error: Error & { hint?: string }) =>
    say({ text: [error.message, error.hint].filter(Boolean).join(" ") });
  return { label: "Undo", run: () => void restore().catch(complain) };
}

/** Asks again which notebooks and datasets there are. */
export async function rereadRail(queries: QueryClient): Promise<void> {
  await queries.invalidateQueries({ queryKey: ["notebooks"] });
  await queries.invalidateQueries({ queryKey: ["datasets"] });
}

/** The place of the last cell that makes a dataset; -1 if none does. */
export function makerOf(notebook: Notebook, dataset: string): number {
  return notebook.cells.findLastIndex((cell) => cell.datasets.some((made) => made.name === dataset));
}
