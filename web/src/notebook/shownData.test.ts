import { expect, it } from "vitest";
import { knownRows, marksOf, shownDataset } from "./shownData";

const COLUMNS = [
  { name: "share", type: "double" },
  { name: "price", type: "double" },
];
const GIVEN = {
  dataset: "pri@ces@12",
  count: 2,
  columns: COLUMNS,
  rids: [5, 3],
  rows: [
    [0.1, null],
    [0.9, 4],
  ],
};
const as = (given: unknown) => knownRows({ "application/vnd.whence.rows+json": given });

it("reads rows with their dataset, whatever its name", () => {
  expect(as(GIVEN)).toEqual({ ...GIVEN, dataset: "pri@ces", version: 12 });
});

it("takes nothing that is not as it should be", () => {
  const wrong = [null, 3, { ...GIVEN, dataset: "prices" }, { ...GIVEN, rids: [1] }, { ...GIVEN, rids: ["1", "2"] }];
  expect([...wrong, { ...GIVEN, rows: [[1], [2]] }, { ...GIVEN, columns: [null, null] }].map(as)).toEqual(
    Array(7).fill(undefined),
  );
  expect(shownDataset({ "application/vnd.whence.dataset+json": { name: "a", version: "1", rows: 2 } })).toBeUndefined();
  expect(shownDataset({ "application/vnd.whence.dataset+json": { name: "a", version: 1, rows: 2 } })?.rows).toBe(2);
});

it("marks what is doubtful in the dataset, wherever the frame shows it", () => {
  const known = as(GIVEN);
  const page = {
    columns: [
      { name: "part", type: "string" },
      { name: "price", type: "double" },
    ],
    rids: [3, 5],
    marks: [[], [1]],
  };
  expect(known && marksOf(known, page)).toEqual([[1], []]);
});
