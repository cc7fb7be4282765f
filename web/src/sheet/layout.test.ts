import { expect, it } from "vitest";
import { frozenIn, keepLayout, PLAIN, readLayout, tracksOf } from "./layout";

const columns = ["a", "b", "c"].map((name) => ({ name, type: "int", base: name, base_type: "int" }));

it("puts columns side by side, as wide as they were drawn", () => {
  const tracks = tracksOf(columns, [], 60, { widths: { b: 300, c: 5 }, frozen: 0 });
  expect(tracks).toEqual([
    { left: 60, width: 128 },
    { left: 188, width: 300 },
    { left: 488, width: 48 },
  ]);
});

it("keeps frozen columns from filling the view", () => {
  const tracks = tracksOf(columns, [], 60, { widths: { a: 100, b: 100, c: 900 }, frozen: 0 });
  expect(frozenIn(tracks, 2, 60, 1000)).toEqual({ count: 2, end: 260 });
  expect(frozenIn(tracks, 3, 60, 1000)).toEqual({ count: 2, end: 260 });
  expect(frozenIn(tracks, 0, 60, 1000)).toEqual({ count: 0, end: 60 });
});

it("is kept per dataset, and survives nonsense", () => {
  const kept = new Map<string, string>();
  const shelf = { getItem: (k: string) => kept.get(k) ?? null, setItem: (k: string, v: string) => void kept.set(k, v) };
  keepLayout("prices", { widths: { a: 99 }, frozen: 1 }, shelf);
  expect(readLayout("prices", shelf)).toEqual({ widths: { a: 99 }, frozen: 1 });
  expect(readLayout("other", shelf)).toEqual(PLAIN);
  kept.set("whence.layout.other", '{"widths": {"a": "x"}, "frozen": -3}');
  expect(readLayout("other", shelf)).toEqual(PLAIN);
  kept.set("whence.layout.other", "{");
  expect(readLayout("other", shelf)).toEqual(PLAIN);
});
