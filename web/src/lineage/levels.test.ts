import { expect, it } from "vitest";
import type { Schemas } from "../api/client";
import { datasetLevel, rowLevel, valueLevel } from "./levels";

const node = (name: string, rows: number) => ({
  name,
  version: 1,
  origin: "sql" as const,
  text: "",
  rows,
  exact: true,
  is_doubtful: name === "prices",
});
const graph = {
  nodes: [node("prices", 7), node("sums", 3), node("other", 2)],
  edges: [{ source: { name: "prices", version: 1 }, target: { name: "sums", version: 1 } }],
};

it("draws every dataset with its size", () => {
  expect(datasetLevel(graph).nodes.map(({ id, detail, isDoubtful }) => [id, detail, isDoubtful])).toEqual([
    ["prices@1", "7 rows", true],
    ["sums@1", "3 rows", false],
    ["other@1", "2 rows", false],
  ]);
});

it("draws only the datasets that have rows behind a row, with how many", () => {
  const reached = {
    datasets: [{ name: "prices", version: 1, direction: "backward" as const, count: 3, all_rows: 7 }],
  };
  const found = rowLevel(graph, "sums@1", 0, reached);
  expect(found.nodes.map(({ id, detail }) => [id, detail])).toEqual([
    ["prices@1", "3 of 7 rows"],
    ["sums@1", "row 1"],
  ]);
  expect(found.edges).toEqual([{ from: "prices@1", to: "sums@1" }]);
});

it("draws the values behind a value, each column once", () => {
  const cell = (column: string, value: unknown, inputs: Schemas["WayStep"][] = []): Schemas["WayCell"] => ({
    dataset: inputs.length > 0 ? "sums" : "prices",
    version: 1,
    row: 0,
    column,
    value,
    line: null,
    is_doubtful: value === null,
    origin: "",
    inputs,
  });
  const step = (column: string, role: Schemas["WayStep"]["role"], values: unknown[], count: number) => ({
    dataset: "prices",
    version: 1,
    column,
    role,
    count,
    cells: values.map((value) => cell(column, value)),
  });
  const way = cell("total", 3, [step("price", "aggregated", [1, null], 5), step("supplier", "grouped", ["Acme"], 1)]);
  const found = valueLevel(way);
  expect(found.nodes.map(({ title, detail, isDoubtful }) => [title, detail, isDoubtful])).toEqual([
    ["sums · total", "3", false],
    ["prices · price", "aggregated: 1, null … 5 in all", true],
    ["prices · supplier", "grouped: Acme", false],
  ]);
  expect(found.edges).toHaveLength(2);
});
