import { expect, test } from "vitest";
import type { Names } from "../editor/names";
import { choose, matching, optionsOf, written } from "./options";

const NAMES: Names = {
  datasets: [
    {
      name: "People",
      version: 2,
      rows: 7,
      columns: [
        { name: "age", type: "int" },
        { name: "sex", type: "string" },
      ],
    },
    { name: "towns", columns: [{ name: "city", type: "string" }] },
  ],
  parameters: [],
};

test("offers the datasets, and the columns of the dataset that is read with their types", () => {
  expect(optionsOf("dataset", "", NAMES).map(({ name, note }) => [name, note])).toEqual([
    ["People", "7 rows"],
    ["towns", ""],
  ]);
  expect(optionsOf("column", "people", NAMES)).toEqual([
    { name: "age", note: "int", column: { dataset: "People", version: 2, column: "age" } },
    { name: "sex", note: "string", column: { dataset: "People", version: 2, column: "sex" } },
  ]);
  expect(optionsOf("columns", "towns", NAMES)).toEqual([{ name: "city", note: "string" }]);
  expect(optionsOf("column", "nothing", NAMES)).toEqual([]);
  expect(optionsOf("text", "people", NAMES)).toEqual([]);
});

test("puts one name in, or one more, and takes it out again", () => {
  expect(choose("a", "age", false)).toBe("age");
  expect(choose("sex", "age", true)).toBe("sex, age");
  expect(choose("sex, a", "age", true)).toBe("sex, age");
  expect(choose("sex, age", "sex", true)).toBe("age");
  expect(written(" sex,  age ,", true)).toEqual(["sex", "age"]);
});

test("offers what the last word may mean", () => {
  const options = optionsOf("columns", "People", NAMES);
  expect(matching(options, "sex, A", true).map(({ name }) => name)).toEqual(["age"]);
  expect(matching(options, "sex, ", true)).toEqual(options);
});
