import { expect, it } from "vitest";
import { boundsSentence, boundsWords, widthSentence, widthWords } from "./boundsWords";

const known = { low: 121, best: 136, high: 189, may_be_missing: false, why: "" };

it.each([
  [known, "136 (between 121 and 189)"],
  [{ ...known, may_be_missing: true }, "136 (between 121 and 189, or missing)"],
  [{ ...known, best: null, may_be_missing: true }, "missing (between 121 and 189)"],
  [{ ...known, low: null }, "136 (at most 189)"],
  [{ ...known, high: null }, "136 (at least 121)"],
  [{ ...known, low: null, high: null, why: "No range is stated." }, "136 (could be anything)"],
  [{ ...known, low: 136, high: 136 }, "136"],
  [{ ...known, low: 136, high: 136, may_be_missing: true }, "136 (or missing)"],
])("bounds are said in words", (bounds, words) => {
  expect(boundsWords(bounds)).toBe(words);
});

it("tells what was loaded from what was made of it", () => {
  const open = { ...known, low: null, high: null, why: "No range is stated for some value that it is made from." };
  expect(boundsSentence(open, true)).toEqual(["It could be anything.", "No caveat states a range for it."]);
  expect(boundsSentence(open, false)).toEqual(["136 (could be anything), given what caveats state.", open.why]);
  expect(boundsSentence(known, true)[0]).toBe("136 (between 121 and 189), given what caveats state.");
});

const width = { column: "x", doubtful: 4, unknown: 0, widest: 0.5, row: 2, why: "" };

it.each([
  [width, "50 % wide", "The widest bounds span 50 % of their value, in row 3, given what caveats state."],
  [{ ...width, widest: 0.004 }, "0.4 % wide", /span 0\.4 % of/],
  [{ ...width, unknown: 1, why: "No range." }, "≥ 50 % wide", /1 of 4 doubtful cells.*No range\.$/],
  [{ ...width, widest: null, row: null, unknown: 4, why: "No rule." }, "", /^4 of 4 .* No rule\.$/],
  [{ ...width, widest: null, row: null }, "", ""],
])("a header says the widest relative range", (of, words, sentence) => {
  expect(widthWords(of)).toBe(words);
  expect(widthSentence(of)).toMatch(sentence);
});
