import { expect, it } from "vitest";
import type { Page } from "../api/client";
import { oddValue } from "./oddValue";

const PAGE: Page = {
  name: "hourly",
  version: 1,
  offset: 0,
  count: 4,
  columns: [
    { name: "hour", type: "string" },
    { name: "t", type: "double" },
  ],
  rows: [
    ["a", 20],
    ["b", 35],
    ["c", 21],
    ["d", null],
  ],
  rids: [7, 2, 5, 3],
  marks: [],
  row_marks: [],
  written: [],
  lines: [],
};

it("asks about the row by its id, and in which direction it is odd", () => {
  expect(oddValue(PAGE, 2, "t")).toEqual({ source: "hourly", column: "t", outliers: [2], direction: "high" });
  expect(oddValue(PAGE, 7, "t")?.direction).toBe("low");
});

it("has nothing to ask about a text, a null, or a row that is not there", () => {
  expect([oddValue(PAGE, 2, "hour"), oddValue(PAGE, 3, "t"), oddValue(PAGE, 9, "t")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(oddValue(PAGE, undefined, undefined)).toBeUndefined();
});
