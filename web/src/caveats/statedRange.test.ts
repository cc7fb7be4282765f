import { expect, it } from "vitest";
import { caveatValues, NO_RANGE } from "./statedRange";

it("needs a reason and an end", () => {
  expect(caveatValues("t", "x", NO_RANGE)).toBeUndefined();
  expect(caveatValues("t", "x", { ...NO_RANGE, message: "why" })).toBeUndefined();
  expect(caveatValues("t", "x", { ...NO_RANGE, low: "1", message: "  " })).toBeUndefined();
});

it("leaves out what is open", () => {
  const fields = { where: " x is null ", low: "", high: " 9 ", message: "a guess" };
  expect(caveatValues("t", "x", fields)).toEqual({
    source: "t",
    column: "x",
    message: "a guess",
    where: "x is null",
    high: "9",
  });
});
