import { expect, it } from "vitest";
import { cellName, columnOf, letters, readPlace } from "./letters";

it("calls columns as formulas do", () => {
  expect([0, 25, 26, 51, 52, 701, 702].map(letters)).toEqual(["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
  for (const column of [0, 7, 25, 26, 300, 701, 702, 18_277]) expect(columnOf(letters(column))).toBe(column);
  expect(cellName({ row: 1, column: 1 })).toBe("B2");
});

const extent = { rows: 10_000_000, columns: ["part", "price", "B"] };
const here = { row: 4, column: 1 };

it.each([
  ["B2", { row: 1, column: 1 }],
  ["$c$10", { row: 9, column: 2 }],
  ["6123456:price", { row: 6_123_455, column: 1 }],
  ["3 : PART", { row: 2, column: 0 }],
  ["3:a", { row: 2, column: 0 }],
  ["3:B", { row: 2, column: 2 }],
  ["#6,123,456", { row: 6_123_455, column: 1 }],
  ["10000000", { row: 9_999_999, column: 1 }],
])("%s is a place", (text, place) => {
  expect(readPlace(text, here, extent)).toEqual(place);
});

it.each(["", "price", "D1", "1:nope", "0", "10000001", "B0"])("%j is none, and says so", (text) => {
  expect(readPlace(text, here, extent)).toBeTypeOf("string");
});
