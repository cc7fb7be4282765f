import { expect, test } from "vitest";
import { diffLines } from "./diffLines";

const EDIT = '{"kind": "set_cell", "id": "e1", "row": "k:1", "column": "c:BORO", "content": {"value": "Queens"}}';

test("edits of a sheet are said in words", () => {
  const diff = `@@ -1 +1,3 @@\n source: prices\n+operations: ${EDIT}\n+operations: {"kind": "sort", "by": [["c:BORO"]]}`;
  expect(diffLines({ kind: "sheet", diff })).toEqual([
    " source: prices",
    "+BORO in one row: “Queens”",
    "+Sorted by BORO",
  ]);
});

test("other lines stay, with the names of files", () => {
  const diff = `-uploads/${"a1".repeat(32)}/prices.csv\n+select 1\n+`;
  expect(diffLines({ kind: "sql", diff })).toEqual(["-prices.csv (a1a1a1a)", "+select 1", "+"]);
});
