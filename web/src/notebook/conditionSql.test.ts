import { expect, it } from "vitest";
import { conditionSql, operatorsFor, withCondition } from "./conditionSql";

it.each([
  [["supplier", "string", "is", "Acme"], "supplier = 'Acme'"],
  [["unit price", "double", "above", "3.5"], "`unit price` > 3.5"],
  [["name", "string", "contains", "it's \\"], "contains(name, 'it\\'s \\\\')"],
  [["day", "date", "below", "2024-01-31"], "day < '2024-01-31'"],
  [["n", "int", "is", "many"], "n = 'many'"],
  [["n", "int", "isMissing", ""], "n is null"],
] as const)("writes %j", ([column, type, operator, value], sql) => {
  expect(conditionSql(column, type, operator, value)).toBe(sql);
});

it("adds a condition to those that are there", () => {
  expect(withCondition(" ", "a = 1")).toBe("a = 1");
  expect(withCondition("a = 1", "b = 2")).toBe("a = 1 and b = 2");
  expect(withCondition("a = 1 or c", "b = 2")).toBe("(a = 1 or c) and b = 2");
});

it("offers words for text and comparisons for the rest", () => {
  expect(operatorsFor("string")).toContain("contains");
  expect(operatorsFor("int")).not.toContain("contains");
  expect(operatorsFor("int")).toContain("above");
});
