import { expect, it } from "vitest";
import { FEW_ROWS, MOST_ROWS, moreRows, nextSort, shownBy, testsFor, viewQuery, WHOLE } from "./rowView";

const COLUMNS = [
  { name: "part", type: "string" },
  { name: "price", type: "double" },
  { name: "cost", type: "decimal(10,2)" },
  { name: "sold", type: "boolean" },
];
const filtered = (column: string, test: "is" | "contains" | "is empty" | "at least", value: string) =>
  viewQuery({ ...WHOLE, filters: [{ column, test, value }] }, COLUMNS);

it("asks for nothing special when all rows are looked at as they are stored", () => {
  expect(viewQuery(WHOLE, COLUMNS)).toEqual({});
});

it("compares numbers as numbers, decimals as they are written, and texts as texts", () => {
  expect(filtered("price", "at least", " 7.25 ")).toEqual({ filter: '[["price",">=",7.25]]' });
  expect(filtered("cost", "is", "1.50")).toEqual({ filter: '[["cost","=","1.50"]]' });
  expect(filtered("part", "contains", " 1")).toEqual({ filter: '[["part","contains"," 1"]]' });
  expect(filtered("sold", "is", "TRUE")).toEqual({ filter: '[["sold","=",true]]' });
  expect(filtered("price", "is empty", "")).toEqual({ filter: '[["price","is_null"]]' });
});

it("leaves what is no number for the server to refuse in a sentence", () => {
  expect(filtered("price", "is", "dear")).toEqual({ filter: '[["price","=","dear"]]' });
});

it("sorts upwards, downwards, then not at all", () => {
  const up = nextSort(undefined, "part");
  const down = nextSort(up, "part");
  expect([up, down, nextSort(down, "part")]).toEqual([
    { column: "part", direction: "asc" },
    { column: "part", direction: "desc" },
    undefined,
  ]);
  expect(viewQuery({ ...WHOLE, sort: down }, COLUMNS)).toEqual({ sort: '[["part","desc"]]' });
});

it("shows more and more rows, then few again", () => {
  const shown = [FEW_ROWS];
  while (shown.length < 8) shown.push(moreRows(shown.at(-1) ?? 0, 5000));
  expect(shown).toEqual([5, 50, 100, 200, 400, 800, MOST_ROWS, FEW_ROWS]);
  expect([moreRows(5, 7), moreRows(7, 7)]).toEqual([7, 5]);
});

it("offers only tests that a type allows", () => {
  expect(testsFor("string")).toContain("contains");
  expect(testsFor("double")).not.toContain("contains");
  expect(testsFor("boolean")).toEqual(["is", "is not", "is empty", "has a value"]);
  expect(testsFor("array<int>")).toEqual(["is empty", "has a value"]);
});

it("takes over the values chosen in a sheet, but no filter that the server cannot do", () => {
  const chosen = (test: "is one of" | "is none of", value: string, column = "price") => ({ column, test, value });
  expect(viewQuery({ ...WHOLE, filters: [chosen("is one of", '["1","2.5"]')] }, COLUMNS)).toEqual({
    filter: '[["price","in",[1,2.5]]]',
  });
  const filters = [
    chosen("is one of", '["1"]'),
    chosen("is one of", '["1",null]'),
    chosen("is none of", '["1"]'),
    chosen("is one of", '["1"]', "gone"),
  ];
  expect(filters.map(shownBy(COLUMNS))).toEqual([true, false, false, false]);
});
