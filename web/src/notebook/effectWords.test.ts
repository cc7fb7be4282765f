import { expect, it } from "vitest";
import { effectWords } from "./effectWords";

const column = (change: "same" | "new" | "renamed") => ({ name: "a", type: "int", change, was: "" });
const NONE = {
  changed_values: 0,
  doubtful_values: 0,
  dropped_rows: 0,
  columns: [column("same")],
  dropped_columns: [],
  rows: [],
};

it("counts what a cell would do", () => {
  expect(effectWords({ ...NONE, changed_values: 1200, doubtful_values: 1 })).toBe(
    "1,200 values change, 1 value in doubt.",
  );
  expect(effectWords({ ...NONE, dropped_rows: 1, columns: [column("new")], dropped_columns: ["b", "c"] })).toBe(
    "1 row goes, 1 new column, 2 columns go.",
  );
});

it("says that nothing changes only if nothing does", () => {
  expect(effectWords(NONE)).toBe("No value changes.");
  expect(effectWords({ ...NONE, columns: [column("renamed")] })).toBe("");
});
