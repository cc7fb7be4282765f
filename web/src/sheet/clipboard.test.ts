import { expect, it } from "vitest";
import { pasteOver } from "./clipboard";

const extent = { rows: 4, columns: 3 };
const box = (top: number, left: number, bottom = top, right = left) => ({ top, left, bottom, right });

it("lays a block over the sheet from the first selected cell on", () => {
  expect(pasteOver("a\tb\nc\td", box(1, 0), extent)).toEqual({
    cells: [
      ["a", "b"],
      ["c", "d"],
    ],
    row: 1,
    column: 0,
    cutRows: 0,
    cutColumns: 0,
  });
});

it("says what lies beyond the ends", () => {
  const paste = pasteOver("a\tb\nc\td\ne\tf", box(2, 2), extent);
  expect(paste).toMatchObject({ cells: [["a"], ["c"]], cutRows: 1, cutColumns: 1 });
});

it("fills the whole selection with a single value", () => {
  expect(pasteOver("7", box(0, 1, 2, 2), extent).cells).toEqual([
    ["7", "7"],
    ["7", "7"],
    ["7", "7"],
  ]);
});
