import type { Schemas } from "../api/client";

type Made = Schemas["MadeDataset"];
/** Rows of a dataset as a Python cell shows them: some of its columns, with others that were computed. */
export type KnownRows = {
  dataset: string;
  version: number;
  /** How many rows the frame has; the first of them are here. */
  count: number;
  columns: Schemas["Column"][];
  rids: number[];
  rows: unknown[][];
};

const ROWS = "application/vnd.whence.rows+json";
const DATASET = "application/vnd.whence.dataset+json";

/** What code says it shows: nothing of it is trusted before its shape is as it should be. */
export function knownRows(data: Record<string, unknown>): KnownRows | undefined {
  const { dataset, count, columns, rids, rows } = (data[ROWS] ?? {}) as Record<string, unknown>;
  const label = typeof dataset === "string" ? /^(.+)@(\d{1,9})$/.exec(dataset) : null;
  if (!label || typeof count !== "number" || !areColumns(columns) || !areWhole(rids) || !Array.isArray(rows))
    return undefined;
  if (rows.length !== rids.length || !rows.every((row) => Array.isArray(row) && row.length === columns.length))
    return undefined;
  return { dataset: label[1] ?? "", version: Number(label[2]), count, columns, rids, rows };
}

/** A whole dataset that code shows. */
export function shownDataset(data: Record<string, unknown>): Made | undefined {
  const { name, version, rows } = (data[DATASET] ?? {}) as Record<string, unknown>;
  if (typeof name !== "string" || !areWhole([version, rows])) return undefined;
  return { name, version: version as number, rows: rows as number, is_doubtful: false };
}

function areColumns(given: unknown): given is Schemas["Column"][] {
  return Array.isArray(given) && given.every((each) => typeof each?.name === "string" && typeof each.type === "string");
}

function areWhole(given: unknown): given is number[] {
  return Array.isArray(given) && given.every((each) => Number.isInteger(each) && each >= 0);
}

/** The doubtful places of rows as shown, told by the names of the columns of their dataset. */
export function marksOf(known: KnownRows, page: Pick<Schemas["Page"], "columns" | "rids" | "marks">): number[][] {
  const doubtful = new Map(
    page.rids.map((rid, i) => [rid, new Set((page.marks[i] ?? []).map((place) => page.columns[place]?.name))]),
  );
  return known.rids.map((rid) =>
    known.columns.flatMap(({ name }, place) => (doubtful.get(rid)?.has(name) ? [place] : [])),
  );
}
