import type { Schemas } from "../api/client";
import type { Notebook } from "../api/notebooks";
import { titleOf } from "./title";

type Version = Schemas["VersionView"];

const ACTIONS: Record<string, string> = {
  append: "Added",
  insert: "Added",
  update: "Edited",
  delete: "Deleted",
  move: "Moved",
  freeze: "Froze",
  thaw: "Thawed",
  restore: "Brought back",
  import: "Imported",
  rename: "Renamed a dataset",
  arrange: "Arranged the page",
};

/** "Edited by_supplier": what was done, to the cell as it is called now if it is still there. */
export function said(version: Version, notebook: Notebook): string {
  const cell = notebook.cells.find((each) => each.id === version.cell);
  const what = cell ? titleOf(cell) : version.cell ? `cell ${version.cell}` : "an earlier version";
  const verb = ACTIONS[version.action] ?? version.action;
  return version.cell === null && version.action !== "restore" ? verb : `${verb} ${what}`;
}

/** The time of day, and the day if it is not today. */
export function when(time: string, today = new Date()): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  const clock = at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return at.toDateString() === today.toDateString()
    ? clock
    : `${at.toLocaleDateString([], { day: "numeric", month: "short" })} ${clock}`;
}
