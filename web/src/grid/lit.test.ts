import { expect, it } from "vitest";
import type { Schemas } from "../api/client";
import { litBy } from "./lit";

it("lights the rows behind a cell, and in them the cells that were used", () => {
  const step = {
    refs: [
      { row: 3, column: "price", role: "aggregated", value: 1 },
      { row: 3, column: "supplier", role: "grouped", value: "a" },
    ],
    rows: { columns: ["part", "supplier", "price"], rids: [3, 9] },
  } as Schemas["TraceStep"];
  const lit = litBy(step);
  expect(lit.first).toBe(3);
  expect([...lit.rows]).toEqual([3, 9]);
  expect([...(lit.cells.get(3) ?? [])].sort()).toEqual([1, 2]);
  expect(lit.cells.has(9)).toBe(false);
});
