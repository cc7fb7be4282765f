import { expect, test } from "vitest";
import type { Dataset, Schemas } from "../api/client";
import type { Notebook, NotebookCell } from "../api/notebooks";
import { commonWord, editablePlace, findLoadCell, nullsWith } from "./caveatRemedies";

function group(...places: Partial<Schemas["CaveatPlace"]>[]): Schemas["CaveatSummary"] {
  const whole = { dataset: "prices", version: 1, row: 0, column: "price", line: 2, text: null, message: "" };
  return {
    message: "no number",
    count: places.length,
    family: "load",
    made_by: "load prices.csv",
    column: "price",
    references: places.map((place) => ({ ...whole, ...place })),
  };
}

const cell = (values: object, made: string): NotebookCell =>
  ({ kind: "load", values, datasets: [{ name: made }] }) as unknown as NotebookCell;

test("the word is the one most places have, and never a long text", () => {
  expect(commonWord(group({ text: "?" }, { text: " . " }, { text: "." }))).toBe(".");
  expect(commonWord(group({ text: "x".repeat(41) }))).toBeUndefined();
  expect(commonWord(group({}))).toBeUndefined();
});

test("a place of an older version cannot be edited", () => {
  const datasets = [{ name: "prices", version: 2 }] as Dataset[];
  expect(editablePlace(group({}), datasets)).toBeUndefined();
  expect(editablePlace(group({}, { version: 2, row: 7 }), datasets)?.row).toBe(7);
});

test("the load cell is found by what it made, and its words grow by one", () => {
  const other = cell({ nulls: ["NA"] }, "other");
  const loads = cell({ nulls: ["NA"] }, "prices");
  const notebook = { name: "tour", cells: [other, loads] } as Notebook;
  expect(findLoadCell([notebook], "prices")).toEqual([notebook, loads]);
  expect(findLoadCell([notebook], "elsewhere")).toBeUndefined();
  expect(nullsWith(loads, ".")).toEqual(["NA", "."]);
  expect(nullsWith(loads, "NA")).toEqual(["NA"]);
  expect(nullsWith(cell({}, "prices"), ".")).toEqual(["."]);
});
