import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, type Dataset, type Schemas, unwrap } from "../api/client";
import { readNotebook } from "../api/notebooks";
import { forgetActive } from "../jobs/active";
import { addCellBelow, makerOf, rereadRail, undoOf } from "../notebook/addCellBelow";
import { goTo, parsePlace } from "../state/place";
import { say } from "../state/toast";
import { count } from "../text/words";
import type { MenuItem } from "../ui/MenuList";
import { copyName } from "./groups";
import { saveDataset, saveNotebook } from "./save";

/** What a dialog asks about one entry. */
export type Asked = { what: "rename" | "delete"; notebook: string } | { what: "rename" | "delete"; dataset: Dataset };
/** What a dialog of its own asks: of which dataset rows are to be forgotten, or what a shared file is to hide. */
export type AskedApart = { what: "forget"; dataset: Dataset } | { what: "share"; notebook: string };

type Dependants = NonNullable<Schemas["RemovedDataset"]["dependants"]>;
export type RailCommands = ReturnType<typeof useRailCommands>;

/** What can be done to the notebooks and datasets of the rail. */
export function useRailCommands(notebooks: string[], datasets: Dataset[]) {
  const queries = useQueryClient();
  const [asked, ask] = useState<Asked | AskedApart>();
  const reread = () => rereadRail(queries);
  const complain = (error: Error & { hint?: string }) =>
    say({ text: [error.message, error.hint].filter(Boolean).join(" ") });
  const attempt = (work: () => Promise<void>) => void work().catch(complain);
  const isOpen = (notebook: string) => parsePlace(window.location.search).notebook === notebook;

  const duplicateNotebook = async (name: string) => {
    const body = { name: copyName(name, notebooks, " copy") };
    const made = await unwrap(client.POST("/api/notebooks/{name}/copy", { params: { path: { name } }, body }));
    await reread();
    goTo({ notebook: made.name });
  };

  const duplicateDataset = async (dataset: Dataset) => {
    const copy = copyName(
      dataset.name,
      datasets.map((each) => each.name),
    );
    const values = { source: dataset.name, name: copy };
    const action = await addCellBelow(queries, dataset, { kind: "copy_dataset", values, is_draft: false });
    say({ text: `${copy} is made by a new cell.`, action });
  };

  /** A cell with the checks that hold now, to be changed; without any, it checks that there are rows. */
  const addCheck = async (dataset: Dataset) => {
    const path = { name: dataset.name };
    const { values } = await unwrap(client.GET("/api/datasets/{name}/checks", { params: { path } }));
    const checks = Object.keys(values).length > 0 ? values : { count: [{ least: 1 }] };
    const added = { kind: "expect", values: { source: dataset.name, ...checks }, is_draft: false };
    const action = await addCellBelow(queries, dataset, added);
    say({ text: `A new cell checks what holds for ${dataset.name} now. Change it to what should hold.`, action });
  };

  const renameNotebook = async (name: string, next: string) => {
    await unwrap(client.POST("/api/notebooks/{name}/rename", { params: { path: { name } }, body: { name: next } }));
    await reread();
    if (isOpen(name)) goTo({ notebook: next });
  };

  const renameDataset = async (dataset: Dataset, next: string) => {
    const path = { name: dataset.name };
    const told = await unwrap(client.POST("/api/datasets/{name}/rename", { params: { path }, body: { name: next } }));
    for (const name of Object.keys(told.changed)) await queries.invalidateQueries({ queryKey: ["notebook", name] });
    await reread();
    // The dataset has its new name when its cell has run, so what is shown next is that cell.
    if (parsePlace(window.location.search).dataset === dataset.name && dataset.notebook)
      goTo({ notebook: dataset.notebook });
    const left = Object.values(told.unchanged).flat().length;
    const python =
      left === 0 ? "" : ` ${count(left, "Python cell")} still ${left === 1 ? "names" : "name"} ${dataset.name}.`;
    say({ text: `Renamed in ${count(Object.values(told.changed).flat().length, "cell")}.${python}` });
  };

  const deleteNotebook = async (name: string) => {
    // First: whatever shows the notebook would ask for one that is gone.
    if (isOpen(name)) goTo({ view: "start" });
    forgetActive(name);
    await unwrap(client.POST("/api/notebooks/{name}/remove", { params: { path: { name } } }));
    await reread();
    queries.removeQueries({ queryKey: ["notebook", name] });
    say({ text: `The notebook ${name} is deleted.` });
  };

  /** A dataset of a notebook goes with its cell, which can be taken back; any other goes for good. */
  const deleteDataset = async (dataset: Dataset, dependants: Dependants) => {
    const { name, notebook: maker } = dataset;
    if (parsePlace(window.location.search).dataset === name) goTo(maker ? { notebook: maker } : { view: "start" });
    if (!maker) {
      await unwrap(client.POST("/api/datasets/{name}/remove", { params: { path: { name } }, body: { dependants } }));
      await reread();
      return say({ text: `The dataset ${name} is deleted.` });
    }
    const notebook = await queries.fetchQuery({ ...readNotebook(maker), staleTime: 0 });
    const cell = notebook.cells[makerOf(notebook, name)]?.id;
    if (cell === undefined) throw new Error(`No cell of the notebook ${maker} makes ${name} now.`);
    const params = { path: { name: maker, cell } };
    await unwrap(client.POST("/api/notebooks/{name}/cells/{cell}/remove", { params, body: {} }));
    await queries.invalidateQueries({ queryKey: ["notebook", maker] });
    await reread();
    say({ text: `The cell that makes ${name} is deleted.`, action: undoOf(queries, maker, notebook.version) });
  };

  return {
    asked,
    ask,
    close: () => ask(undefined),
    renameNotebook,
    renameDataset,
    deleteNotebook,
    deleteDataset,
    forNotebook: (name: string): MenuItem[] => [
      { label: "Rename…", keys: "F2", run: () => ask({ what: "rename", notebook: name }) },
      { label: "Duplicate", run: () => attempt(() => duplicateNotebook(name)) },
      "line",
      { label: "Share as a file…", run: () => ask({ what: "share", notebook: name }) },
      { label: "Export as Jupyter notebook", run: () => attempt(() => saveNotebook(name, "jupyter")) },
      { label: "Export as PySpark script", run: () => attempt(() => saveNotebook(name, "script")) },
      { label: "Export as text", run: () => attempt(() => saveNotebook(name, "text")) },
      "line",
      { label: "Delete…", keys: "Del", run: () => ask({ what: "delete", notebook: name }) },
    ],
    forDataset: (dataset: Dataset): MenuItem[] => [
      { label: "Rename…", keys: "F2", run: () => ask({ what: "rename", dataset }) },
      { label: "Duplicate", run: () => attempt(() => duplicateDataset(dataset)) },
      { label: "Add checks", run: () => attempt(() => addCheck(dataset)) },
      "line",
      { label: "Export as CSV", run: () => saveDataset(dataset, "csv") },
      { label: "Export as Excel", run: () => saveDataset(dataset, "excel") },
      { label: "Export as Parquet", run: () => saveDataset(dataset, "parquet") },
      "line",
      { label: "Forget rows…", run: () => ask({ what: "forget", dataset }) },
      { label: "Delete…", keys: "Del", run: () => ask({ what: "delete", dataset }) },
    ],
  };
}
