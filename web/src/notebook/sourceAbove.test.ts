import { expect, test } from "vitest";
import type { Kind, NotebookCell } from "../api/notebooks";
import { sourceAbove } from "./sourceAbove";

const kindWith = (name: string, kind: string) => ({ parameters: [{ name, kind }] }) as unknown as Kind;
const filter = kindWith("source", "dataset");
const cell = (id: string, kind: string, ...names: string[]) =>
  ({ id, kind, datasets: names.map((name) => ({ name })) }) as NotebookCell;

test("a new form reads the dataset that was made last above it", () => {
  const cells = [
    cell("a", "load", "prices"),
    cell("b", "split", "cheap", "dear"),
    cell("c", "filter"),
    cell("d", "sql", "late"),
  ];
  expect(sourceAbove(filter, cells, "c")).toBe("dear");
});

test("the marks of a chart are not taken for the data", () => {
  const cells = [cell("a", "load", "prices"), cell("b", "chart", "bars"), cell("c", "filter")];
  expect(sourceAbove(filter, cells, "c")).toBe("prices");
});

test("nothing is filled in where nothing is made above, or where the source is a text", () => {
  const cells = [cell("a", "markdown"), cell("b", "filter"), cell("c", "load", "prices"), cell("d", "sql")];
  expect(sourceAbove(filter, cells, "b")).toBeUndefined();
  expect(sourceAbove(kindWith("source", "text"), cells, "d")).toBeUndefined();
  expect(sourceAbove(undefined, cells, "d")).toBeUndefined();
});
