import { expect, it } from "vitest";
import { sized } from "./sized";

const size = { width: 300, height: 200 };

it("draws one panel as large as its place, and leaves several as they are", () => {
  expect(sized({ width: 10, height: 5, mark: "bar" }, size)).toEqual({
    ...size,
    mark: "bar",
    autosize: { type: "fit", contains: "padding" },
  });
  const facets = { concat: [{ width: 10, mark: "bar" }] };
  expect(sized(facets, size)).toBe(facets);
  const early = { width: 10, layer: [] };
  expect(sized(early, undefined)).toBe(early);
});
