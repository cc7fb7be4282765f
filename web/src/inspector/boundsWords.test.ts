import { expect, it } from "vitest";
import { boundsWords } from "./boundsWords";

const known = { low: 121, best: 136, high: 189, may_be_missing: false, why: "" };

it.each([
  [known, "Between 121 and 189."],
  [{ ...known, may_be_missing: true }, "Between 121 and 189, or missing."],
  [{ ...known, best: null, may_be_missing: true }, "Between 121 and 189."],
  [{ ...known, low: null }, "At most 189."],
  [{ ...known, high: null }, "At least 121."],
  [{ ...known, low: null, high: null, why: "No range is stated." }, "It could be anything."],
  [{ ...known, low: 136, high: 136 }, "It is 136."],
])("bounds are said in words", (bounds, words) => {
  expect(boundsWords(bounds)).toBe(words);
});
