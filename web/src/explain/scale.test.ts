import { expect, it } from "vitest";
import type { Answer } from "./api";
import { isAt, nameOf } from "./scale";

const answer = (low: number, high: number) => ({ broadest: low, narrowest: high }) as Answer;

it("finds the answers for a place on the scale, and the nearest where none is the best", () => {
  const all = [answer(0, 0.05), answer(0.2, 0.4), answer(0.9, 1)];
  expect(all.map((each) => isAt(each, 0, all))).toEqual([true, false, false]);
  expect(all.map((each) => isAt(each, 0.25, all))).toEqual([false, true, false]);
  expect(all.map((each) => isAt(each, 0.5, all))).toEqual([false, true, false]);
});

it("names where an answer is the best", () => {
  expect([answer(0, 0.04), answer(0.1, 0.3), answer(0.5, 1)].map(nameOf)).toEqual(["Broad", "Balanced", "Narrow"]);
});
