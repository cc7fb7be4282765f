import { expect, it } from "vitest";
import { count, doubtWords, fileWords } from "./words";

it("counts in words", () => {
  expect([count(1, "row"), count(0, "row"), count(12_345, "row")]).toEqual(["1 row", "0 rows", "12,345 rows"]);
});

it("says what is doubtful in a dataset as one sentence, or nothing", () => {
  expect(doubtWords({ columns: [], rows: false, row_set: false })).toBe("");
  expect(doubtWords({ columns: ["a", "b"], rows: false, row_set: true })).toBe("Doubt in a, b; rows may be missing");
});

it("names the file and the line that a row was read from", () => {
  expect(fileWords("load prices.csv", 1204)).toBe("prices.csv, line 1,204");
  expect(fileWords("load flights.parquet", null)).toBe("Loaded from flights.parquet");
});
