import { expect, it } from "vitest";
import { parametersIn } from "./parameters";

it("reads parameters from text and from a mapping", () => {
  expect(parametersIn("# least\nleast = 3\ntown = Ulm\nis_new = true\n\n9 = x")).toEqual({
    least: 3,
    town: "Ulm",
    is_new: true,
  });
  expect(parametersIn({ a: 1 })).toEqual({ a: 1 });
  expect(parametersIn(undefined)).toEqual({});
});
