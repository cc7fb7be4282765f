import { describe, expect, it } from "vitest";
import { cellValues, checkOf, formOf, NO_FIELDS } from "./columnChecks";

const price = { name: "price", type: "double" };
const part = { name: "part", type: "string" };

describe("a check of a column", () => {
  it("waits for what its kind needs", () => {
    expect(checkOf("not_null", price, NO_FIELDS)).toEqual({ kind: "not_null", column: "price" });
    expect(checkOf("key", price, NO_FIELDS)).toEqual({ kind: "key", columns: ["price"] });
    for (const kind of ["between", "one_of", "matches", "reference"] as const)
      expect(checkOf(kind, price, NO_FIELDS)).toBeUndefined();
  });

  it("says numbers as numbers only where that loses nothing", () => {
    const fields = { ...NO_FIELDS, low: " 1.5 " };
    expect(checkOf("between", price, fields)).toEqual({ kind: "between", column: "price", low: 1.5 });
    expect(checkOf("between", { name: "id", type: "bigint" }, { ...NO_FIELDS, high: "9007199254740993" })).toEqual({
      kind: "between",
      column: "id",
      high: "9007199254740993",
    });
    expect(checkOf("between", { name: "day", type: "date" }, { ...NO_FIELDS, low: "2024" })).toEqual({
      kind: "between",
      column: "day",
      low: "2024",
    });
  });

  it("takes one value from each line, with the spaces of texts", () => {
    const fields = { ...NO_FIELDS, values: "1\n\n 2 " };
    expect(checkOf("one_of", part, fields)).toEqual({ kind: "one_of", column: "part", values: ["1", " 2 "] });
    expect(checkOf("one_of", price, fields)).toEqual({ kind: "one_of", column: "price", values: [1, 2] });
  });

  it("comes from a suggestion about this column alone", () => {
    const suggested = { kind: "between", name: "price is between 1 and 2", severity: "warning", low: 1, high: 2 };
    expect(formOf({ ...suggested, column: "price" }, "price")).toEqual({
      kind: "between",
      fields: { ...NO_FIELDS, low: "1", high: "2" },
    });
    expect(formOf({ ...suggested, column: "stock" }, "price")).toBeUndefined();
    expect(formOf({ kind: "key", columns: ["price", "part"] }, "price")).toBeUndefined();
    expect(formOf({ kind: "dependency", rule: "part -> price" }, "price")).toBeUndefined();
  });

  it("becomes the values of a cell", () => {
    expect(cellValues("prices", { kind: "not_null", column: "price" })).toEqual({
      source: "prices",
      not_null: ["price"],
    });
    expect(cellValues("prices", { kind: "key", columns: ["price"] })).toEqual({ source: "prices", key: ["price"] });
    expect(cellValues("prices", { kind: "between", column: "price", low: 1 })).toEqual({
      source: "prices",
      between: [{ column: "price", low: 1 }],
    });
    const reference = { kind: "reference", columns: ["part"], dataset: "parts", other: ["id"] };
    expect(cellValues("prices", reference)).toEqual({
      source: "prices",
      reference: [{ columns: ["part"], dataset: "parts", other: ["id"] }],
    });
  });
});
