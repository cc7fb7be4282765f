import { expect, it, vi } from "vitest";
import type { MenuItem } from "../ui/MenuList";
import { columnMenu } from "./columnMenu";

const labels = (items: MenuItem[]) => items.map((item) => (item === "line" ? "-" : item.label));

it("offers a reader of a link to sort and filter, and nothing that edits", () => {
  const ask = { sort: undefined, onSort: vi.fn(), onFilter: vi.fn(), edit: undefined };
  expect(labels(columnMenu({ name: "part", type: "string" }, ask))).toEqual([
    "Sort ascending",
    "Sort descending",
    "Filter…",
  ]);
});

it("offers the changes that fit the type, and opens the sheet with their dialog", () => {
  const [onDialog, onSort] = [vi.fn(), vi.fn()];
  const sort = { column: "part", direction: "asc" } as const;
  const ask = { sort, onSort, onFilter: vi.fn(), edit: { onCheck: vi.fn(), onDialog } };
  const text = columnMenu({ name: "part", type: "string" }, ask);
  expect(labels(text)).toContain("Trim spaces…");
  expect(labels(columnMenu({ name: "price", type: "double" }, ask))).not.toContain("Trim spaces…");
  const run = (label: string) => text.flatMap((item) => (item !== "line" && item.label === label ? [item.run()] : []));
  run("Merge similar values…");
  run("Trim spaces…");
  expect(onDialog.mock.calls).toEqual([
    [{ kind: "cluster", column: "part" }],
    [{ kind: "change", change: "trim", column: "part" }],
  ]);
  run("Do not sort");
  expect(onSort.mock.calls).toEqual([[undefined]]);
});
