import { expect, it } from "vitest";
import type { Kind, NotebookCell } from "../api/notebooks";
import { suggestName } from "./suggestName";

const kind = (name: string, isRequired = true) =>
  ({ name, parameters: [{ name: "name", kind: "text", is_required: isRequired }] }) as unknown as Kind;
const cell = (id: string, name?: string) => ({ id, values: { name } }) as unknown as NotebookCell;
const names = { datasets: [{ name: "sql_2", columns: [] }], parameters: [] };
const suggest = (of: Kind, source = "") =>
  suggestName(cell("c2"), of, { cells: [cell("c1", "sql_1"), cell("c2")] }, names, source);

it("names a result as no cell and no dataset of another notebook is named", () => {
  expect(suggest(kind("sql"))).toBe("sql_3");
  expect(suggest(kind("sort"))).toBe("sort_1");
});

it("names what is loaded after its file", () => {
  expect(suggest(kind("load"), "data/prices.csv")).toBe("prices");
  expect(suggest(kind("load"))).toBe("load_1");
});

it("leaves a name open that need not be given, or that is the point of the cell", () => {
  expect(suggest(kind("caveat", false))).toBeUndefined();
  expect(suggest(kind("rename_dataset"))).toBeUndefined();
});
