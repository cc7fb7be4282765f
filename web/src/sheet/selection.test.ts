import { expect, it } from "vitest";
import { boxOf, cellsIn, single, spanIn, within } from "./selection";

const selection = { anchor: { row: 5, column: 3 }, cursor: { row: 2, column: 4 } };

it("is a rectangle whichever corner moves", () => {
  expect(boxOf(selection)).toEqual({ top: 2, bottom: 5, left: 3, right: 4 });
  expect(cellsIn(boxOf(selection))).toBe(8);
  expect(cellsIn(boxOf(single({ row: 0, column: 0 })))).toBe(1);
});

it("says which columns of a row belong to it", () => {
  expect(spanIn(boxOf(selection), 4)).toEqual({ left: 3, right: 4 });
  expect(spanIn(boxOf(selection), 6)).toBeUndefined();
  expect(spanIn(undefined, 0)).toBeUndefined();
});

it("shrinks with the sheet, and stays the same object where nothing changes", () => {
  expect(within(selection, 10, 10)).toBe(selection);
  expect(within(selection, 4, 4)).toEqual({ anchor: { row: 3, column: 3 }, cursor: { row: 2, column: 3 } });
  expect(within(selection, 0, 4)).toBeUndefined();
});
