import { expect, it } from "vitest";
import { askedOf, expecting, marked, NOTHING, whyNot } from "./marking";

it("gives marks a role, and takes it from those that all have it", () => {
  const some = marked(NOTHING, [3, 1], "outlier", true);
  expect([...marked(some, [1, 2], "outlier", true).roles.keys()]).toEqual([3, 1, 2]);
  expect([...marked(some, [1], "outlier", true).roles.keys()]).toEqual([3]);
  expect([...marked(some, [1], "outlier", false).roles.keys()]).toEqual([3, 1]);
  expect(marked(some, [1], "fine", true).roles.get(1)).toBe("fine");
});

it("asks with all others as fine unless some are named", () => {
  const some = marked(NOTHING, [3, 1], "outlier", true);
  expect(askedOf(some, ["a"])).toEqual({
    outliers: [1, 3],
    fine: null,
    direction: "high",
    expected: null,
    attributes: ["a"],
  });
  expect(askedOf(marked(some, [0], "fine", true), ["a"]).fine).toEqual([0]);
});

it("asks with what values ought to be", () => {
  const drawn = expecting(expecting(NOTHING, 4, 2.5), 5, 3);
  expect(askedOf(drawn, ["a"])).toMatchObject({ outliers: [4, 5], expected: { 4: 2.5, 5: 3 }, direction: "wrong" });
  expect(whyNot(drawn, ["a"])).toBe("");
  expect(whyNot(expecting(NOTHING, 4, undefined), ["a"])).toBe("Say what at least one of them ought to be.");
});

it("says what is missing", () => {
  expect(whyNot(NOTHING, ["a"])).toBe("Pick at least one mark that looks odd.");
  expect(whyNot(marked(NOTHING, [1], "outlier", true), [])).toBe("Tick at least one column that may explain it.");
});
