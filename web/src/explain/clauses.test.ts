import { expect, it } from "vitest";
import type { Bar } from "./api";
import { isMet, withBar } from "./clauses";

const named = (value: string): Bar => ({ label: value, count: 1, low: null, high: null, value });
const between = (low: number, high: number): Bar => ({ label: "", count: 1, low, high, value: null });

it("puts values in and takes them out", () => {
  const one = withBar([], "shop", named("a"));
  const two = withBar(one, "shop", named("b"));
  expect(two).toMatchObject([{ column: "shop", values: ["a", "b"] }]);
  expect(withBar(two, "shop", named("a"))).toMatchObject([{ values: ["b"] }]);
  expect(withBar(one, "shop", named("a"))).toEqual([]);
  expect(two[0] && isMet(named("b"), two[0])).toBe(true);
});

it("does not take the part of a time for the time", () => {
  const hours = { column: "at", part: "hour", low: 3, high: 5, values: null, phrase: "" };
  expect(isMet(between(2, 9), hours)).toBe(false);
  expect(withBar([hours], "at", between(2, 9))).toMatchObject([{ column: "at", low: 2, high: 9 }]);
});

it("grows and shrinks a range by its ends", () => {
  const grown = withBar(withBar([], "hour", between(2, 3)), "hour", between(5, 6));
  expect(grown).toMatchObject([{ column: "hour", low: 2, high: 6 }]);
  expect(withBar(grown, "hour", between(2, 3))).toMatchObject([{ low: 3, high: 6 }]);
  expect(withBar(grown, "hour", between(5, 6))).toMatchObject([{ low: 2, high: 5 }]);
  expect(withBar(withBar([], "hour", between(2, 3)), "hour", between(2, 3))).toEqual([]);
});
