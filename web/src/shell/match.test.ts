import { expect, it } from "vitest";
import { bestMatches, match } from "./match";

const entries = ["by_supplier", "supplier towns", "prices", "Run stale cells", "all suppliers"].map((label) => ({
  label,
}));
const found = (typed: string) => bestMatches(typed, entries, 10).map(({ label }) => label);

it("puts what begins with the text first, then words that do, then the rest", () => {
  expect(found("suppl")).toEqual(["supplier towns", "by_supplier", "all suppliers"]);
});

it("finds letters in order, and nothing else", () => {
  expect(found("rsc")).toEqual(["Run stale cells"]);
  expect(found("xyz")).toEqual([]);
});

it("shows everything as it came when nothing is typed", () => {
  expect(found("")).toHaveLength(5);
  expect(found("")[0]).toBe("by_supplier");
  expect(match("", "anything")).toBe(0);
});
