import { describe, expect, it } from "vitest";
import { completeFormula, openCall } from "./completeFormula";

const NAMES = {
  columns: [
    { name: "price", type: "double" },
    { name: "old price", type: "double" },
  ],
  functions: [
    { name: "ROUND", arguments: "number, [digits]", sentence: "Rounded.", group: "Numbers" },
    { name: "PROPER", arguments: "text", sentence: "Capitals.", group: "Texts" },
  ],
  datasets: [{ name: "parts", columns: [{ name: "id", type: "string" }] }],
};

const offered = (text: string) => {
  const found = completeFormula(text, text.length, NAMES);
  return found?.options.map(({ label, apply }) => text.slice(0, found.from) + (apply ?? label));
};

describe("completing a formula", () => {
  it("offers columns, functions and datasets that begin with the word", () => {
    expect(offered("=2*p")).toEqual(["=2*[@price]", "=2*PROPER(", "=2*parts["]);
    expect(offered("=ro")).toEqual(["=ROUND("]);
  });
  it("offers columns after a bracket, of the row or as a whole", () => {
    expect(offered("=SUM([")).toEqual(["=SUM([price]", "=SUM([old price]"]);
    expect(offered("=[@o")).toEqual(["=[@old price]"]);
  });
  it("offers the columns of another dataset after its name", () => {
    expect(offered("=XLOOKUP(A1,parts[")).toEqual(["=XLOOKUP(A1,parts[id]"]);
  });
  it("offers nothing in a text and where nothing fits", () => {
    expect(offered('="p')).toBeUndefined();
    expect(offered("x")).toBeUndefined();
    expect(offered("=1+")).toBeUndefined();
  });
});

describe("the call the caret stands in", () => {
  it("is the innermost function that is open", () => {
    expect(openCall("=IF(ROUND(1", 11)).toBe("ROUND");
    expect(openCall("=IF(ROUND(1),(2", 15)).toBe("IF");
    expect(openCall('=IF("ROUND(", ', 14)).toBe("IF");
    expect(openCall("=1+2", 4)).toBeUndefined();
  });
});
