import { describe, expect, it } from "vitest";
import {
  centre,
  isCompressed,
  lastTop,
  ROW_HEIGHT,
  reveal,
  scrollFromTop,
  spacerHeight,
  topFromScroll,
  visibleRows,
} from "./rowScroll";

const view = (rowCount: number) => ({ rowCount, bodyHeight: 20 * ROW_HEIGHT });

describe("scrolling in rows", () => {
  it("keeps the spacer below every browser's limit", () => {
    expect(spacerHeight(view(10_000_000_000))).toBe(8_000_000);
    expect(spacerHeight(view(1000))).toBe(1000 * ROW_HEIGHT);
  });

  it.each([1, 19, 20, 21, 266_666, 266_667, 10_000_000, 1_000_000_000])("reaches both ends of %d rows", (rows) => {
    const geometry = view(rows);
    const range = Math.max(0, spacerHeight(geometry) - geometry.bodyHeight);
    expect(topFromScroll(geometry, 0)).toBe(0);
    expect(topFromScroll(geometry, range)).toBeCloseTo(lastTop(geometry), 6);
    expect(visibleRows(geometry, lastTop(geometry)).end).toBe(rows);
  });

  it("goes from row to scrollbar and back without moving, at ten million rows too", () => {
    for (const rows of [5000, 10_000_000]) {
      for (const top of [0, 17, rows / 3, rows - 20]) {
        expect(topFromScroll(view(rows), scrollFromTop(view(rows), top))).toBeCloseTo(top, 4);
      }
    }
  });

  it("compresses only what would be too tall", () => {
    expect(isCompressed(view(266_666))).toBe(false);
    expect(isCompressed(view(266_667))).toBe(true);
  });

  it("reveals a row by the shortest way and leaves a visible one alone", () => {
    expect(reveal(view(1000), 100, 99)).toBe(99);
    expect(reveal(view(1000), 100, 119)).toBe(100);
    expect(reveal(view(1000), 100, 120)).toBe(101);
  });

  it("puts a far row into the upper third, and never shows past the end", () => {
    expect(centre(view(1000), 500)).toBe(494);
    expect(centre(view(1000), 999)).toBe(980);
    expect(centre(view(5), 4)).toBe(0);
  });
});
