import { expect, it } from "vitest";
import { bandOf, marksIn, stretched } from "./boxes";

const BARS = [0, 1, 2, 3].map((mark) => ({ mark, x: 10 + 20 * mark, y: 50 - 10 * mark, width: 18, height: 10 * mark }));

it("selects what a stretch of the axis covers in part, however tall the marks are", () => {
  expect(marksIn(BARS, stretched({ x: 25, y: 0 }, { x: 55, y: 5 }, "x"))).toEqual([0, 1, 2]);
  expect(marksIn(BARS, stretched({ x: 55, y: 9 }, { x: 29, y: 0 }, "x"))).toEqual([1, 2]);
});

it("selects what a rectangle covers", () => {
  expect(marksIn(BARS, stretched({ x: 0, y: 0 }, { x: 100, y: 35 }, "both"))).toEqual([2, 3]);
});

it("drags along the axis that bars and lines stand on, and in rectangles over points", () => {
  expect(bandOf({ layer: [{ mark: "line" }, { mark: { type: "point" } }] })).toBe("x");
  expect(bandOf({ vconcat: [{ hconcat: [{ mark: { type: "bar", orient: "horizontal" } }] }] })).toBe("y");
  expect(bandOf({ mark: { type: "point" } })).toBe("both");
});
