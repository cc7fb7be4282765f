import { expect, test } from "vitest";
import { pairHints } from "./hints";

test("each field of a pair says its own part of the hint", () => {
  expect(pairHints("new columns, each with an aggregate in SQL, such as sum(price)")).toEqual([
    "new columns",
    "an aggregate in SQL, such as sum(price)",
  ]);
  expect(pairHints("old names and new")).toEqual(["old names", "new"]);
  expect(pairHints("what signs stand for")).toEqual(["what signs stand for", ""]);
});
