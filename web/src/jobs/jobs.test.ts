import { expect, it } from "vitest";
import type { Notebook, NotebookCell } from "../api/notebooks";
import { dismiss, duration, follow, NOTHING } from "./jobs";

function notebook(cells: Record<string, NotebookCell["status"]>, seconds: number | null = null): Notebook {
  return {
    name: "tour",
    version: 1,
    branch: "main",
    branches: {},
    mode: "auto",
    is_read_only: false,
    cells: Object.entries(cells).map(([id, status]) => ({
      id,
      kind: "sql",
      values: { name: id },
      status,
      reason: "",
      seconds: status === "ready" ? seconds : null,
      progress: null,
      error: null,
      datasets: [],
      displays: [],
      reads: [],
    })),
  };
}

const seen = (known: ReturnType<typeof follow>) => known.jobs.map(({ cell, status, since }) => [cell, status, since]);

it("lists what runs before what waits, and keeps when it began", () => {
  const first = follow(NOTHING, [notebook({ a: "waiting", b: "running", c: "ready" })], 100);
  expect(seen(first)).toEqual([
    ["b", "running", 100],
    ["a", "waiting", 100],
  ]);
  const second = follow(first, [notebook({ a: "running", b: "running" })], 900);
  expect(seen(second)).toEqual([
    ["b", "running", 100],
    ["a", "running", 900],
  ]);
});

it("keeps a job that failed until it is dismissed, and no cell that had failed before", () => {
  const running = follow(NOTHING, [notebook({ a: "running", b: "error" })], 1);
  const failed = follow(running, [notebook({ a: "error", b: "error" })], 2);
  expect(seen(failed)).toEqual([["a", "error", 2]]);
  expect(follow(dismiss(failed, "tour/a"), [notebook({ a: "error" })], 3).jobs).toEqual([]);
  expect(dismiss(running, "tour/a")).toEqual(running);
});

it("remembers how long a cell took the last time", () => {
  const done = follow(NOTHING, [notebook({ a: "ready" }, 2.5)], 1);
  expect(follow(done, [notebook({ a: "running" })], 2).jobs[0]?.last).toBe(2.5);
});

it("says durations in words", () => {
  expect([duration(7.9), duration(80), duration(600)]).toEqual(["7 s", "1 min 20 s", "10 min 0 s"]);
});
