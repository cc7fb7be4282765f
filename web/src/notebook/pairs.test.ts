import { expect, it } from "vitest";
import { pairsOf, shownValue, textOfPairs } from "./pairs";

it.each([
  '{"qty":"quantity"}',
  '{"age":38,"kind":{"value":"z"}}',
  '{"a":null,"b":"null","c":"3","d":"","e":"\\"quoted\\""}',
])("shows %s as pairs and reads the same back", (text) => {
  expect(textOfPairs(pairsOf(text) ?? [])).toBe(text);
});

it("leaves what is no mapping to a plain field", () => {
  expect(pairsOf("{a")).toBeUndefined();
  expect(pairsOf("[1]")).toBeUndefined();
  expect(pairsOf(" ")).toEqual([]);
});

it("writes texts plainly unless they read as something else", () => {
  expect(["Acme", "12", 12, null, true].map(shownValue)).toEqual(["Acme", '"12"', "12", "null", "true"]);
});
