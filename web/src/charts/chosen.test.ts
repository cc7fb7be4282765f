// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { placeWith, readChosen, rememberChosen } from "./chosen";

it("puts one more chart beside those of before", () => {
  rememberChosen(["a", "b@2"]);
  const query = new URLSearchParams(placeWith("c@1", ["x"]));
  expect(query.get("view")).toBe("canvas");
  expect(readChosen(query.get("charts") ?? undefined)).toEqual(["a", "b@2", "c@1"]);
  expect(readChosen(new URLSearchParams(placeWith("a", [])).get("charts") ?? "")).toEqual(["b@2", "a"]);
});

it("puts the first chart beside those that are kept", () => {
  rememberChosen([]);
  const query = new URLSearchParams(placeWith("c@1", ["v", "w", "x", "y"]));
  expect(readChosen(query.get("charts") ?? undefined)).toEqual(["w", "x", "y", "c@1"]);
});

it("takes nonsense in the address for nothing", () => {
  expect(readChosen("{")).toEqual([]);
  expect(readChosen('[1, "a"]')).toEqual(["a"]);
  expect(readChosen(undefined)).toBeUndefined();
});
