import { expect, test } from "vitest";
import type { Names } from "../editor/names";
import { choose, impliedAt, matching, optionsOf, written } from "./options";

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

test("Enter completes the beginning of a name, or the only name with these letters", () => {
  const options = ["age", "sex", "age_group"].map((name) => ({ name, note: "" }));
  const impliedBy = (typed: string, isMany = false) => {
    const found = matching(options, typed, isMany);
    return found[impliedAt(found, typed, isMany)]?.name;
  };
  expect(impliedBy("a")).toBe("age");
  expect(impliedBy("age")).toBeUndefined();
  expect(impliedBy("roup")).toBe("age_group");
  expect(impliedBy("ge")).toBeUndefined();
  expect(impliedBy("")).toBeUndefined();
  expect(impliedBy("sex, ag", true)).toBe("age");
  expect(impliedBy("sex, roup", true)).toBeUndefined();
});
