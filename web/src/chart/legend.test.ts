import { expect, test } from "vitest";
import { groupColumn, rowsOf } from "./legend";
import { rebased } from "./rebased";

const BARS = [
  { _mark: 0, x: "mon", y: 3, y2: 0, color: "a" },
  { _mark: 1, x: "mon", y: 8, y2: 3, color: "b" },
  { _mark: 2, x: "mon", y: -2, y2: 0, color: "c" },
  { _mark: 3, x: "mon", y: -6, y2: -2, color: "b" },
  { _mark: 4, x: "tue", y: 4, y2: 0, color: "b" },
];
const SPEC = {
  datasets: { rows: BARS, doubtful: [{ ...BARS[1], _from: 7, _to: 9 }], level: [{ y: 5 }] },
  layer: [
    { mark: "rule", encoding: {} },
    { mark: "bar", encoding: { color: { field: "color", type: "nominal" } } },
  ],
  usermeta: { piles: { rows: "y" } },
};

test("a legend is of the column whose groups have a colour each", () => {
  expect(groupColumn(SPEC)).toBe("color");
  expect(groupColumn({ hconcat: [{ layer: SPEC.layer }] })).toBe("color");
  expect(groupColumn({ mark: "rect", encoding: { color: { field: "color", type: "quantitative" } } })).toBeUndefined();
  expect(groupColumn({ mark: "bar", encoding: { color: { value: "red" } } })).toBeUndefined();
});

test("rows of chosen groups stay, stand at zero, and take what is drawn over them along", () => {
  const { rows, doubtful, level } = rowsOf(SPEC, "color", ["b"]);
  expect(rows).toEqual([
    { _mark: 1, x: "mon", y: 5, y2: 0, color: "b" },
    { _mark: 3, x: "mon", y: -4, y2: 0, color: "b" },
    { _mark: 4, x: "tue", y: 4, y2: 0, color: "b" },
  ]);
  expect(doubtful).toEqual([{ _mark: 1, x: "mon", y: 5, y2: 0, color: "b", _from: 4, _to: 6 }]);
  expect(level).toEqual([{ y: 5 }]);
});

test("without a choice, all rows are where they were", () => {
  expect(rowsOf(SPEC, "color", [])).toBe(SPEC.datasets);
  expect(rebased({ rows: BARS }, { rows: "y" })).toEqual({ rows: BARS });
});

test("marks that do not stand on each other stay where they are", () => {
  const { rows } = rowsOf({ ...SPEC, usermeta: undefined }, "color", ["b"]);
  expect(rows?.map(({ y, y2 }) => [y, y2])).toEqual([
    [8, 3],
    [-6, -2],
    [4, 0],
  ]);
});
