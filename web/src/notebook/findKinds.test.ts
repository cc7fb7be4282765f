import { expect, it } from "vitest";
import { findKinds } from "./findKinds";

const kind = (name: string, title: string, summary: string, group = "Clean") => ({ name, title, summary, group });
const KINDS = [
  kind("filter", "Keep rows", "Keep the rows for which the condition holds.", "Query"),
  kind("join", "Join with another dataset", "Put rows together with the rows of another dataset.", "Query"),
  kind("impute", "Fill missing values", "Fill missing values with the mean, median or mode of the column."),
  kind("drop_missing", "Drop rows with missing values", "Drop the rows in which a value is missing."),
];
const found = (typed: string) => findKinds(typed, KINDS).map(({ name }) => name);

it("finds a kind by its name, its title, its sentence and the words of other tools", () => {
  expect(found("filter")[0]).toBe("filter");
  expect(found("keep")[0]).toBe("filter");
  expect(found("median")).toEqual(["impute"]);
  expect(found("vlookup")).toEqual(["join"]);
});

it("wants every word and shows all kinds while nothing is typed", () => {
  expect(found("drop missing")[0]).toBe("drop_missing");
  expect(found("missing vlookup")).toEqual([]);
  expect(found(" ")).toEqual(KINDS.map(({ name }) => name));
});
