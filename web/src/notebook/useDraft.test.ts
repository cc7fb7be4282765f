import { expect, test } from "vitest";
import { without } from "./useDraft";

test("what was typed after it was sent stays", () => {
  expect(without({ source: "select 12", name: "a" }, { source: "select 1", name: "a" })).toEqual({
    source: "select 12",
  });
});
