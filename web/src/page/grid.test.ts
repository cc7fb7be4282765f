import { describe, expect, it } from "vitest";
import { afterKey, bottomOf, COLUMNS, moved, placeOfNew, placeWords, resized, settle } from "./grid";

const at = (x: number, y: number, width = 6, height = 4) => ({ x, y, width, height });

describe("the grid of a page", () => {
  it("moves items down that would be covered, and leaves the one that is moved", () => {
    const moving = at(2, 2);
    expect(settle([at(0, 0), at(6, 0), moving], moving)).toEqual([moving, at(0, 6), at(6, 6)]);
    expect(settle([at(0, 0), at(3, 1), at(9, 0, 3)])).toEqual([at(0, 0), at(9, 0, 3), at(3, 4)]);
  });
  it("keeps items on the page", () => {
    expect(moved(at(4, 1), 9, -5)).toEqual(at(COLUMNS - 6, 0));
    expect(resized(at(4, 1), 9, -9)).toEqual(at(4, 1, 8, 1));
  });
  it("moves by arrows, and resizes by arrows with Shift", () => {
    expect(afterKey(at(4, 1), "ArrowLeft", false)).toEqual(at(3, 1));
    expect(afterKey(at(4, 1), "ArrowDown", true)).toEqual(at(4, 1, 6, 5));
    expect(afterKey(at(4, 1), "Enter", false)).toBeUndefined();
  });
  it("puts a new item beside the last one where that is as high and leaves room, else below all", () => {
    expect(placeOfNew([], 6, 8)).toEqual(at(0, 0, 6, 8));
    expect(placeOfNew([at(0, 0, 12, 2), at(0, 2, 3, 2)], 3, 2)).toEqual(at(3, 2, 3, 2));
    expect(placeOfNew([at(0, 0, 12, 2), at(0, 2, 3, 2)], 6, 8)).toEqual(at(0, 4, 6, 8));
    expect(placeOfNew([at(0, 0, 6, 8)], 6, 8)).toEqual(at(6, 0, 6, 8));
    expect(placeOfNew([at(0, 0, 6, 8), at(6, 0, 6, 8)], 6, 8)).toEqual(at(0, 8, 6, 8));
    expect(placeOfNew([at(6, 4, 6, 2), at(0, 5, 4, 8)], 6, 8)).toEqual(at(0, 13, 6, 8));
  });
  it("says where an item is", () => {
    expect(placeWords(at(0, 2))).toBe("column 1, row 3, 6 wide, 4 high");
    expect(bottomOf([at(0, 2), at(6, 0)])).toBe(6);
  });
});
