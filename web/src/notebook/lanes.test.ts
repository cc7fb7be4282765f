import { expect, it } from "vitest";
import { layOutHistory } from "./lanes";

const version = (number: number, parent: number | null, branch = "main", is_side = false) => ({
  version: number,
  parent,
  branch,
  is_side,
});

it("puts every branch on a lane of its own and joins it where it began", () => {
  const found = layOutHistory([version(4, 2, "try"), version(3, 2), version(2, 1), version(1, null)]);
  expect(found.spots.map(({ version, lane }) => [version, lane])).toEqual([
    [4, 1],
    [3, 0],
    [2, 0],
    [1, 0],
  ]);
  expect(found.lines.map(({ from, to }) => [from.version, to.version])).toEqual([
    [2, 4],
    [2, 3],
    [1, 2],
  ]);
  expect(found.width).toBe(2);
});

it("keeps edits that lost on a lane beside", () => {
  const found = layOutHistory([version(3, 1, "main", true), version(2, 1), version(1, null)]);
  expect(found.spots[0]?.lane).toBe(1);
});

it("draws no line to a version that is not shown", () => {
  expect(layOutHistory([version(9, 8)]).lines).toEqual([]);
  expect(layOutHistory([]).width).toBe(1);
});
