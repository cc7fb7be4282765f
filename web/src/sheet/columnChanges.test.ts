import { describe, expect, it } from "vitest";
import { COLUMN_CHANGES } from "./columnChanges";

const asked = (values: Record<string, string>) => ({
  column: "place",
  at: 1,
  values,
  names: ["id", "place", "place_2"],
});

describe("changes of a column", () => {
  it("are formulas over the column itself", () => {
    expect(COLUMN_CHANGES.trim.operations(asked({}))).toEqual([
      { operation: "set_column", arguments: { column: "place", value: "=TRIM(B1)" } },
    ]);
    expect(COLUMN_CHANGES.change_case.operations(asked({ to: "PROPER" }))).toEqual([
      { operation: "set_column", arguments: { column: "place", value: "=PROPER(B1)" } },
    ]);
    expect(COLUMN_CHANGES.parse_dates.operations(asked({ order: "day first" }))[0]?.arguments.value).toBe(
      '=DATEVALUE(B1,"day first")',
    );
  });
  it("split into new columns with names that are free, one after the other", () => {
    const steps = COLUMN_CHANGES.split_column.operations(asked({ separator: '"', parts: "2" }));
    expect(steps.map((each) => [each.arguments.name, each.arguments.after, each.arguments.value])).toEqual([
      ["place_1", "place", '=SPLITPART(B1,"""",1,2)'],
      ["place_3", "place_1", '=SPLITPART(B1,"""",2,2)'],
    ]);
  });
  it("do nothing while something is missing", () => {
    expect(COLUMN_CHANGES.split_column.operations(asked({ separator: "", parts: "2" }))).toEqual([]);
    expect(COLUMN_CHANGES.split_column.operations(asked({ separator: ",", parts: "x" }))).toEqual([]);
    expect(COLUMN_CHANGES.replace.operations(asked({ find: "", replacement: "a" }))).toEqual([]);
  });
});
