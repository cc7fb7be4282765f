import { expect, it } from "vitest";
import { merged } from "./merged";

it("changes every value of a cluster but the one that they all become", () => {
  const acme = { values: [{ text: "Acme" }, { text: "ACME" }, { text: "acme " }], name: "Acme" };
  expect(merged([acme, { values: [{ text: "a" }, { text: "A" }], name: "letter" }])).toEqual({
    ACME: "Acme",
    "acme ": "Acme",
    a: "letter",
    A: "letter",
  });
  expect(merged([{ ...acme, name: "" }])).toEqual({});
});
