import { expect, it } from "vitest";
import { lastNotebook, rememberNotebook } from "./lastNotebook";

it("finds the notebook that was open last, or the first if that one is gone", () => {
  expect(lastNotebook([])).toBeUndefined();
  expect(lastNotebook(["a", "b"])).toBe("a");
  rememberNotebook("b");
  expect([lastNotebook(["a", "b"]), lastNotebook(["a"])]).toEqual(["b", "a"]);
});
