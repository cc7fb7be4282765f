import { expect, it } from "vitest";
import { groupKinds } from "./groupKinds";

const kind = (name: string, group: string) => ({ name, group });

it("shows groups in the order of a day's work and leaves empty ones out", () => {
  const grouped = groupKinds([kind("chart", "Chart"), kind("trim", "Clean"), kind("load", "Load"), kind("x", "New")]);
  expect(grouped.map(({ group, members }) => [group, ...members.map(({ name }) => name)])).toEqual([
    ["Load", "load"],
    ["Clean", "trim"],
    ["Chart", "chart"],
    ["New", "x"],
  ]);
});
