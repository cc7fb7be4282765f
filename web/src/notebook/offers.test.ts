import { expect, test } from "vitest";
import type { Names } from "../editor/names";
import { offersOf } from "./offers";

const NAMES = {
  datasets: [
    { name: "People", columns: [{ name: "age" }, { name: "sex" }, { name: "city" }] },
    { name: "towns", columns: [{ name: "city" }] },
  ],
} as unknown as Names;

test("offers the datasets, and the columns of the dataset that is read", () => {
  expect(offersOf("dataset", "", "", NAMES)).toEqual(["People", "towns"]);
  expect(offersOf("column", "a", "people", NAMES)).toEqual(["age", "sex", "city"]);
  expect(offersOf("column", "", "nothing", NAMES)).toEqual([]);
  expect(offersOf("text", "", "people", NAMES)).toEqual([]);
});

test("offers one more name after those that are written", () => {
  expect(offersOf("columns", "", "towns", NAMES)).toEqual(["city"]);
  expect(offersOf("columns", "sex, ", "People", NAMES)).toEqual(["sex, age", "sex, city"]);
  expect(offersOf("datasets", "towns, ", "", NAMES)).toEqual(["towns, People"]);
});
