import { expect, it } from "vitest";
import { marksOf, needsOthers } from "./sessionMarks";

const session = {
  is_running: true,
  lost: "",
  stale: ["c3"],
  fresh: ["c2"],
  refresher: ["c2"],
  new_fresh: [],
  new_refresher: [],
  would_fail: { c4: ["tax", "rate"] },
  again: { c5: "`x` was made by this cell" },
  reasons: { c3: "uses `gross` from cell c2", c2: "would renew what cell c3 uses" },
};

it.each([
  ["c1", []],
  ["c2", ["fresh: ", "refresher: would renew what cell c3 uses"]],
  ["c3", ["stale: uses `gross` from cell c2"]],
  ["c4", ["fails: nothing gives it tax, rate yet"]],
  ["c5", ["again: `x` was made by this cell"]],
])("says what is known of %s", (cell, said) => {
  expect(marksOf(cell, session).map(({ mark, reason }) => `${mark}: ${reason}`)).toEqual(said);
});

it("offers to run other cells first only where that would help", () => {
  expect(["c2", "c3", "c4"].map((cell) => needsOthers(marksOf(cell, session)))).toEqual([false, true, true]);
  expect(marksOf("c3", undefined)).toEqual([]);
});
