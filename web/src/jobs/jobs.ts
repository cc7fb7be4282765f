import type { Notebook, NotebookCell } from "../api/notebooks";
import { titleOf } from "../notebook/title";

/** A cell that runs, waits, or failed while somebody watched. */
export type Job = {
  key: string;
  notebook: string;
  cell: string;
  title: string;
  status: "running" | "waiting" | "error";
  progress: NotebookCell["progress"];
  /** When it was first seen to run, in milliseconds. */
  since: number;
  /** How long it took the last time, in seconds. */
  last: number | null;
  message: string;
  /** Why it still runs although it was told to stop. */
  reason: string;
};

export type Known = { jobs: Job[]; lasts: ReadonlyMap<string, number> };

export const NOTHING: Known = { jobs: [], lasts: new Map() };

/** What runs now, given what ran before: a job keeps its start, and one that failed stays until it is dismissed. */
export function follow(before: Known, notebooks: Notebook[], now: number): Known {
  const lasts = new Map(before.lasts);
  const known = new Map(before.jobs.map((job) => [job.key, job]));
  const jobs = notebooks.flatMap(({ name, cells }) =>
    cells.flatMap((cell): Job[] => {
      const key = `${name}/${cell.id}`;
      if (cell.status === "ready" && cell.seconds !== null) lasts.set(key, cell.seconds);
      const was = known.get(key);
      const isBusy = cell.status === "running" || cell.status === "waiting";
      const hasFailed = cell.status === "error" && was !== undefined;
      if (!isBusy && !hasFailed) return [];
      return [
        {
          key,
          notebook: name,
          cell: cell.id,
          title: titleOf(cell),
          status: isBusy ? (cell.status as "running" | "waiting") : "error",
          progress: cell.progress,
          since: was && was.status === cell.status ? was.since : now,
          last: lasts.get(key) ?? null,
          message: cell.error?.message ?? "",
          reason: cell.status === "running" ? cell.reason : "",
        },
      ];
    }),
  );
  return { jobs: jobs.sort(byStatus), lasts };
}

const ORDER: Job["status"][] = ["running", "error", "waiting"];

function byStatus(a: Job, b: Job): number {
  return ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || a.since - b.since;
}

/** The same without a job that failed; a job that still runs cannot be dismissed. */
export function dismiss(known: Known, key: string): Known {
  return { ...known, jobs: known.jobs.filter((job) => job.key !== key || job.status !== "error") };
}

/** 7 s, 1 min 20 s. */
export function duration(seconds: number): string {
  const whole = Math.floor(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
