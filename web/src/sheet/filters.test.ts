import { expect, it } from "vitest";
import { conditionOf, filterWords, readFilters, writeFilters } from "./filters";

const columns = ["part", "price]", "note"];

it.each([
  [{ column: "price]", test: "above", value: "10" }, "B1>10"],
  [{ column: "part", test: "is", value: 'a "b"' }, 'A1="a ""b"""'],
  [{ column: "part", test: "contains", value: "Nut" }, 'ISNUMBER(FIND(LOWER("Nut"),LOWER(A1)))'],
  [{ column: "note", test: "is empty", value: "" }, "ISBLANK(C1)"],
  [{ column: "note", test: "has a value", value: "" }, "NOT(ISBLANK(C1))"],
  [{ column: "note", test: "is one of", value: '["a \\"b\\"",null]' }, 'OR(EXACT(C1,"a ""b"""),ISBLANK(C1))'],
  [{ column: "part", test: "is none of", value: '["x"]' }, 'NOT(EXACT(A1,"x"))'],
] as const)("%o is a formula over the first row", (filter, formula) => {
  expect(conditionOf([filter], columns)).toBe(formula);
});

it("joins filters, and leaves out those whose column is gone", () => {
  const both = [
    { column: "part", test: "is not", value: "x" },
    { column: "price]", test: "at most", value: "-2.5" },
  ] as const;
  expect(conditionOf(both, columns)).toBe('AND(A1<>"x",B1<=-2.5)');
  expect(conditionOf(both, ["price]"])).toBe("A1<=-2.5");
  expect(conditionOf(both, [])).toBeUndefined();
});

it("comes back from the address, and only what makes sense", () => {
  const filters = [{ column: "part", test: "contains", value: "é&\n" }] as const;
  expect(readFilters(writeFilters(filters) ?? null)).toEqual(filters);
  expect(writeFilters([])).toBeUndefined();
  for (const bad of [null, "", "{", '"x"', '[["a","eval","1"]]', "[[1,2,3]]", "[null]", '[["a","is one of","[]"]]'])
    expect(readFilters(bad)).toEqual([]);
});

it("says in words what it does", () => {
  expect(filterWords({ column: "price", test: "at least", value: "3" })).toBe("price at least 3");
  expect(filterWords({ column: "price", test: "is empty", value: "" })).toBe("price is empty");
  expect(filterWords({ column: "by", test: "is one of", value: '["a",null,"b","c","d"]' })).toBe(
    "by is one of a, no value, b and 2 more",
  );
  expect(filterWords({ column: "by", test: "is none of", value: '["a"]' })).toBe("by is not a");
});
