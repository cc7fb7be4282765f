import { expect, test } from "vitest";
import { fittedTo, hasOwnSize } from "./fitted";

const bars = { mark: "bar", width: 420, height: 260 };

test("a chart takes the width of its place, and keeps the height that its names need", () => {
  expect(fittedTo(bars, 600)).toMatchObject({ width: 600, mark: "bar" });
  expect(fittedTo(bars, 300)).toMatchObject({ width: 300 });
  expect(Number(fittedTo({ ...bars, height: 900 }, 600).height)).toBeGreaterThanOrEqual(900);
  expect(fittedTo(bars, undefined)).toBe(bars);
});

test("slanted labels keep the room they were given", () => {
  const slanted = { ...bars, encoding: { x: { axis: { labelOverlap: false } } } };
  expect(fittedTo(slanted, 300)).toBe(slanted);
  expect(fittedTo(slanted, 600)).toMatchObject({ width: 600 });
});

test("a size that somebody declared stays", () => {
  expect(hasOwnSize({ aes: { x: "a" }, width: 200 })).toBe(true);
  expect(hasOwnSize('{"height": 90}')).toBe(true);
  for (const open of [undefined, null, {}, "bar", '{"aes": {"x": "width"}}']) expect(hasOwnSize(open)).toBe(false);
});
