import { expect, test } from "vitest";
import { markTitle, titlesOf } from "./titles";

test("columns of marks are called what axes and legends call them", () => {
  const bars = { x: { field: "x", title: "day" }, y: { field: "_value", title: "sum of price" } };
  const rings = { x: { field: "x", title: "another" }, color: { field: "color", title: null } };
  const vega = { layer: [{ encoding: bars }, { encoding: rings }], data: [{ field: 3 }] };
  expect([...titlesOf({ vega, value: "y" })]).toEqual([
    ["x", "day"],
    ["y", "sum of price"],
  ]);
});

test("of bars that lie, the axis on the left is named after what is measured along it", () => {
  const vega = { encoding: { y: { field: "_x", title: "ward" }, x: { field: "_value", title: "count" } } };
  expect(titlesOf({ vega, value: "y" })).toEqual(
    new Map([
      ["x", "ward"],
      ["y", "count"],
    ]),
  );
});

test("a mark is called by what it measures and what it stands for", () => {
  const titles = new Map([
    ["x", "supplier"],
    ["y", "average_price"],
  ]);
  expect(markTitle(titles, { x: "Rheinwerk", y: 8.1, x2: 3 }, "y")).toBe("Average price, Rheinwerk");
  expect(markTitle(titles, { x: null, color: "F", y: 8.1 }, "y")).toBe("Average price, supplier missing, F");
  expect(markTitle(new Map([["x", "month"]]), { x: 7, y: 21.7 }, "y")).toBe("Y, month 7");
});
