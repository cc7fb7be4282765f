import { expect, it } from "vitest";
import { editsOf, editWords } from "./sheetEdits";

it("reads a list of edits, and nothing else", () => {
  expect(editsOf("")).toEqual([]);
  expect(editsOf('[{"kind": "filter", "where": []}]')).toEqual([{ kind: "filter", where: [] }]);
  expect(editsOf('{"kind": "filter"}')).toBeUndefined();
  expect(editsOf("[1]")).toBeUndefined();
  expect(editsOf("[{")).toBeUndefined();
});

it("says in words what each edit does, with the columns that earlier edits inserted", () => {
  const words = editWords([
    { kind: "set_cell", id: "a", row: "k:1", column: "c:price", content: { value: 21 } },
    { kind: "set_cell", id: "b", row: "k:1", column: "c:part", content: { value: "A-1" } },
    { kind: "set_cell", id: "c", row: "k:2", column: "c:quoted", content: { date: "2026-09-01" } },
    { kind: "set_cell", id: "d", row: "k:2", column: "c:part", content: { blank: true } },
    { kind: "insert_column", id: "e", name: "double", content: { formula: [], text: "=[@price]*2" } },
    { kind: "set_column", id: "f", column: "n:e", content: { formula: [], text: "=B1*3" } },
    { kind: "delete_row", id: "g", rows: ["k:1", "k:2"] },
    { kind: "insert_row", id: "h", after: null, count: 1 },
    { kind: "rename_column", id: "i", column: "c:part", name: "Part" },
    {
      kind: "sort",
      id: "j",
      by: [
        ["c:price", "asc"],
        ["n:e", "desc"],
      ],
    },
    { kind: "replace", id: "k", find: "kg", replacement: "" },
    {
      kind: "recode",
      id: "l",
      column: "c:part",
      pairs: [
        ["a", "A"],
        ["b", "B"],
        ["c", "C"],
        ["d", "D"],
      ],
    },
    { kind: "move_the_moon" },
  ]);
  expect(words).toEqual([
    "price in one row: 21",
    "part in one row: “A-1”",
    "quoted in one row: 2026-09-01",
    "part in one row: no value",
    "Column double inserted with =[@price]*2",
    "double in every row: =B1*3",
    "2 rows deleted",
    "one row inserted",
    "part renamed to Part",
    "Sorted by price, double",
    "“kg” replaced with “”",
    "part: “a” becomes “A”; “b” becomes “B”; “c” becomes “C”; and 1 more",
    "move the moon",
  ]);
});
