import { expect, it } from "vitest";
import { cellName, rowWords } from "./cellName";

const COLUMNS = [
  { name: "parts", type: "int" },
  { name: "supplier", type: "string" },
  { name: "average_price", type: "double" },
];

it("names a cell by its column, its row, its value and what is to be known of it", () => {
  const cell = { columns: COLUMNS, values: [3, "Rheinwerk", 3.52], position: 2, row: 4 };
  expect(cellName(cell, "3.52", ["doubtful", false, "used"])).toBe("average price, Rheinwerk: 3.52, doubtful, used");
});

it("counts the row from 1 where no text names it", () => {
  expect(cellName({ columns: COLUMNS, values: [3, null, 3.52], position: 0, row: 1233 }, "3", [])).toBe(
    "parts, row 1,234: 3",
  );
  expect(cellName({ columns: COLUMNS, values: [3, "Acme", 1], position: 1, row: 0 }, "Acme", [])).toBe(
    "supplier, row 1: Acme",
  );
  expect(rowWords(0)).toBe("row 1");
});
