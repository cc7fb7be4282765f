import { expect, test } from "vitest";
import { differences } from "./compareWords";

const same = { name: "t", rows_before: 4, rows_after: 4, columns: [], values: { added: 0, removed: 0, columns: [] } };

test("a value that changed is told by what it was and is", () => {
  const columns = [
    { column: "price", count: 1, before: null, after: 21 },
    { column: "total", count: 3, before: 0.30000000000000004, after: 2 },
  ];
  expect(differences({ ...same, values: { added: 1, removed: 2, columns } })).toEqual([
    "price: null → 21",
    "3 values of total, such as 0.3 → 2",
    "1 row new",
    "2 rows gone",
  ]);
});

test("columns that came, went or changed their type come first", () => {
  const columns = [
    { column: "a", before: null, after: "int" },
    { column: "b", before: "int", after: null },
    { column: "c", before: "int", after: "double" },
  ];
  expect(differences({ ...same, columns })).toEqual(["a (new)", "b (gone)", "c (int → double)"]);
});

test("nothing is claimed of values that were not compared", () => {
  expect(differences(same)).toEqual(["the same rows and values"]);
  expect(differences({ ...same, values: null })).toEqual(["values may differ: too many rows to compare here"]);
});
