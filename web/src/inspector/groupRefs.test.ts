import { expect, it } from "vitest";
import type { Schemas } from "../api/client";
import { distinctValues, groupRefs } from "./groupRefs";

const ref = (row: number, column: string, role: Schemas["InputCell"]["role"], value: unknown) => ({
  row,
  column,
  role,
  value,
});

it("puts cells of one role and column together", () => {
  const groups = groupRefs([ref(1, "a", "aggregated", 1), ref(1, "b", "grouped", "x"), ref(2, "a", "aggregated", 2)]);
  expect(groups.map((group) => [group.role, group.column, group.refs.length])).toEqual([
    ["aggregated", "a", 2],
    ["grouped", "b", 1],
  ]);
});

it("counts equal values but keeps null apart from the word null", () => {
  const [group] = groupRefs([null, "null", null, "null", "null"].map((value, row) => ref(row, "a", "copied", value)));
  if (group === undefined) throw new Error("no group");
  expect(distinctValues(group, () => false).map(({ first, count, shown }) => [first, count, shown.kind])).toEqual([
    [0, 2, "null"],
    [1, 3, "text"],
  ]);
});

it("keeps a doubtful value apart from an equal one that is sure", () => {
  const [group] = groupRefs([1, 1, 1].map((value, row) => ref(row, "a", "copied", value)));
  if (group === undefined) throw new Error("no group");
  const values = distinctValues(group, (row) => row === 1);
  expect(values.map(({ first, count, isDoubtful }) => [first, count, isDoubtful])).toEqual([
    [0, 2, false],
    [1, 1, true],
  ]);
});
