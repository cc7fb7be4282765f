import { expect, it } from "vitest";
import { frozenIn, keepLayout, PLAIN, readLayout, shownColumn, tracksOf } from "./layout";

const columns = ["a", "b", "c"].map((name) => ({ name, type: "int", base: name, base_type: "int" }));

it("puts columns side by side, as wide as they were drawn", () => {
  const tracks = tracksOf(columns, [], [], 60, { widths: { b: 300, c: 5 }, frozen: 0, hidden: [] });
  expect(tracks).toEqual([
    { left: 60, width: 128 },
    { left: 188, width: 300 },
    { left: 488, width: 48 },
  ]);
});

it("gives no room to a column that is hidden, and the cursor passes it by", () => {
  const tracks = tracksOf(columns, [], [], 60, { widths: {}, frozen: 0, hidden: ["b"] });
  expect(tracks.map(({ left, width }) => [left, width])).toEqual([
    [60, 128],
    [188, 0],
    [188, 128],
  ]);
  const isShown = [true, false, true, false];
  expect([shownColumn(1, 0, isShown), shownColumn(1, 2, isShown), shownColumn(3, 2, isShown)]).toEqual([2, 0, 2]);
});

it("keeps frozen columns from filling the view", () => {
  const tracks = tracksOf(columns, [], [], 60, { widths: { a: 100, b: 100, c: 900 }, frozen: 0, hidden: [] });
  expect(frozenIn(tracks, 2, 60, 1000)).toEqual({ count: 2, end: 260 });
  expect(frozenIn(tracks, 3, 60, 1000)).toEqual({ count: 2, end: 260 });
  expect(frozenIn(tracks, 0, 60, 1000)).toEqual({ count: 0, end: 60 });
});

it("is kept per dataset, and survives nonsense", () => {
  const kept = new Map<string, string>();
  const shelf = { getItem: (k: string) => kept.get(k) ?? null, setItem: (k: string, v: string) => void kept.set(k, v) };
  keepLayout("prices", { widths: { a: 99 }, frozen: 1, hidden: ["b"] }, shelf);
  expect(readLayout("prices", shelf)).toEqual({ widths: { a: 99 }, frozen: 1, hidden: ["b"] });
  expect(readLayout("other", shelf)).toEqual(PLAIN);
  kept.set("whence.layout.other", '{"widths": {"a": "x"}, "frozen": -3, "hidden": 3}');
  expect(readLayout("other", shelf)).toEqual(PLAIN);
  kept.set("whence.layout.other", "{");
  expect(readLayout("other", shelf)).toEqual(PLAIN);
});
