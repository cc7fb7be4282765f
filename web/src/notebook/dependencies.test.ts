import { expect, it } from "vitest";
import type { NotebookCell } from "../api/notebooks";
import { dependenciesOf, readsOf, related } from "./dependencies";

function cell(id: string, makes: string[], reads: string[]): NotebookCell {
  const split = (label: string) => ({ name: label.split("@")[0] ?? "", version: Number(label.split("@")[1] ?? 1) });
  return {
    id,
    kind: "sql",
    values: {},
    status: "ready",
    reason: "",
    seconds: null,
    progress: null,
    error: null,
    datasets: makes.map((label) => ({ ...split(label), rows: 1, is_doubtful: false })),
    displays: [],
    reads: reads.map(split),
  };
}

const cells = [
  cell("a", ["prices@1"], []),
  cell("b", ["prices@2"], ["prices@1"]),
  cell("c", ["sums@1"], ["prices@2", "prices@2"]),
  cell("d", ["tops@1"], ["sums@7"]),
  cell("e", [], ["elsewhere@1"]),
];

it("finds the cell that made the very version that was read, else the last of that name above", () => {
  expect(dependenciesOf(cells)).toEqual([
    { from: "a", to: "b", dataset: "prices" },
    { from: "b", to: "c", dataset: "prices" },
    { from: "c", to: "d", dataset: "sums" },
  ]);
});

it("follows dependencies in either direction to the end", () => {
  const found = dependenciesOf(cells);
  expect([...related("c", found, "up")].sort()).toEqual(["a", "b"]);
  expect([...related("a", found, "down")].sort()).toEqual(["b", "c", "d"]);
  expect(related("e", found, "up").size).toBe(0);
});

it("names what a cell read once", () => {
  expect(readsOf(cell("x", [], ["a@1", "a@2", "b@1"]))).toEqual(["a", "b"]);
});
