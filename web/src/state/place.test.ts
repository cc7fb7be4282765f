// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { setParams } from "./params";
import { formatPlace, goTo, parsePlace } from "./place";

it.each([
  {},
  { dataset: "prices" },
  { view: "lineage", dataset: "prices", row: 3, column: "x" },
  { dataset: "a/b?c&d=1 <é>", row: 0, column: "" },
  { dataset: "prices", row: 9_999_999_999, column: "räksmörgås = 1" },
])("writes %o into the address and reads it back", (place) => {
  expect(parsePlace(formatPlace(place))).toEqual(place);
});

it("ignores a row that is no number", () => {
  expect(parsePlace("?dataset=t&row=-1&column=a")).toEqual({ dataset: "t", column: "a" });
  expect(parsePlace("?row=1e9")).toEqual({});
});

it("adds a step to the history only when the dataset changes", () => {
  goTo({ dataset: "a" });
  const before = window.history.length;
  goTo({ dataset: "a", row: 1, column: "x" });
  expect(window.history.length).toBe(before);
  goTo({ dataset: "b" });
  expect(window.history.length).toBe(before + 1);
  goTo({ dataset: "b", view: "lineage" });
  expect(window.history.length).toBe(before + 2);
});

it("keeps what a view adds to the address until another place is opened", () => {
  goTo({ view: "caveats" });
  setParams({ by: "column" });
  expect(window.location.search).toBe("?view=caveats&by=column");
  setParams({ by: undefined });
  expect(window.location.search).toBe("?view=caveats");
});
