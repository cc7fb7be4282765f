import { expect, test } from "vitest";
import type { Dataset } from "../api/client";
import { copyName, dependantsOf, groupEntries } from "./groups";

const dataset = (name: string, given: Partial<Dataset> = {}): Dataset => ({
  name,
  version: 1,
  rows: 1,
  columns: [{ name: "price", type: "double" }],
  origin: "sql",
  text: "",
  doubt: { columns: [], rows: false, row_set: false },
  exact: true,
  parents: [],
  made_from: [],
  notebook: null,
  ...given,
});

const ALL = [
  dataset("stock", { origin: "create", columns: [{ name: "town", type: "string" }] }),
  dataset("prices", { notebook: "tour", origin: "load" }),
  dataset("averages", { notebook: "tour", parents: ["prices"] }),
  dataset("bars", { notebook: "tour", origin: "chart", parents: ["averages"] }),
];
const names = (datasets: Dataset[]) => datasets.map(({ name }) => name);

test("datasets stand with the notebook that makes them, charts apart", () => {
  const { notebooks, charts, others } = groupEntries(["tour", "empty"], ALL);
  expect(notebooks.map((group) => [group.name, names(group.datasets)])).toEqual([
    ["tour", ["prices", "averages"]],
    ["empty", []],
  ]);
  expect([names(charts), names(others)]).toEqual([["bars"], ["stock"]]);
});

test("a search finds notebooks, datasets, charts and columns", () => {
  const found = (search: string) => {
    const { notebooks, charts, others } = groupEntries(["tour", "empty"], ALL, search);
    return [notebooks.flatMap((group) => [group.name, ...names(group.datasets)]), names(charts), names(others)];
  };
  expect(found("AVER")).toEqual([["tour", "averages"], [], []]);
  expect(found("tour")).toEqual([["tour", "prices", "averages"], [], []]);
  expect(found("bar")).toEqual([[], ["bars"], []]);
  expect(found("town")).toEqual([[], [], ["stock"]]);
  expect(found("zebra")).toEqual([[], [], []]);
});

test("what depends on a dataset is found at any distance", () => {
  expect(names(dependantsOf(["prices"], ALL))).toEqual(["averages", "bars"]);
  expect(names(dependantsOf(["bars"], ALL))).toEqual([]);
});

test("a copy gets a name that is free", () => {
  expect(copyName("prices", ["prices"])).toBe("prices_copy");
  expect(copyName("prices", ["Prices_Copy", "prices_copy2"])).toBe("prices_copy3");
});
