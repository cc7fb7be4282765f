import { expect, it } from "vitest";
import { bandOf, marksIn, panelAt, placesInSlice, stretched, within } from "./boxes";

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

it("selects every slice that a rectangle covers in part, and no slice beside it", () => {
  const quarters = [0, 1, 2, 3].map((mark) => {
    const places = placesInSlice({
      startAngle: (mark * Math.PI) / 2,
      endAngle: ((mark + 1) * Math.PI) / 2,
      innerRadius: 20,
      outerRadius: 100,
    });
    return { mark, x: 0, y: 0, width: 8, height: 8, places };
  });
  const rect = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });
  // The rim of the first quarter, whose middle lies elsewhere.
  expect(marksIn(quarters, rect(60, -80, 100, -2))).toEqual([0]);
  expect(marksIn(quarters, rect(-10, -99, 10, -80))).toEqual([0, 3]);
  // In the hole, and in the corner of the rectangle around the first quarter.
  expect(marksIn(quarters, rect(-10, -10, 10, 10))).toEqual([]);
  expect(marksIn(quarters, rect(80, -100, 100, -80))).toEqual([]);
});

it("keeps a drag in the panel it began in", () => {
  const panels = [
    { left: 0, right: 220, top: 0, bottom: 60 },
    { left: 0, right: 100, top: 0, bottom: 50 },
    { left: 120, right: 220, top: 0, bottom: 50 },
  ];
  const boxes = [
    { mark: 0, x: 80, y: 10, width: 10, height: 40 },
    { mark: 1, x: 130, y: 10, width: 10, height: 40 },
  ];
  const from = { x: 60, y: 30 };
  const drag = stretched(from, { x: 180, y: 60 }, "x");
  expect(marksIn(boxes, drag)).toEqual([0, 1]);
  expect(marksIn(boxes, within(drag, panelAt(panels, from)))).toEqual([0]);
  expect(panelAt(panels, { x: 300, y: 30 })).toBeUndefined();
  expect(within(drag, undefined)).toEqual(drag);
});
