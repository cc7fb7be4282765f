import { expect, it } from "vitest";
import { isNumeric, show } from "./value";

it.each([
  [null, "null", "null"],
  ["", "empty text", "empty"],
  ["null", "null", "text"],
  [0, "0", "number"],
  [0.1, "0.1", "number"],
  [false, "false", "other"],
  ["1152921504606846976", "1152921504606846976", "text"],
  [{ a: [1, null] }, '{"a":[1,null]}', "other"],
])("shows %j as %s", (value, text, kind) => {
  expect(show(value)).toEqual({ text, kind });
});

it("makes invisible characters visible", () => {
  expect(show("a\nb\tc").text).toBe("a⏎b⇥c");
  expect(show("user\u202etxt.exe\u0000").text).toBe("user⟨202e⟩txt.exe⟨0000⟩");
});

it("knows which types are numbers", () => {
  expect(["bigint", "decimal(10,2)", "double", "string", "timestamp", "interval day"].map(isNumeric)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
