import { expect, it } from "vitest";
import { readSpec, shelfOf, withShelf, writeSpec } from "./shelves";

const SPEC = { aes: { x: "day", y: { column: "amount" } }, stat: { type: "bin", bins: 9 }, geom: "bar", title: "A" };

it("reads what stands on the shelves", () => {
  expect(shelfOf(SPEC, ["aes", "x"])).toEqual({ value: "day", isOther: false });
  expect(shelfOf(SPEC, ["aes", "y"])).toEqual({ value: "amount", isOther: false });
  expect(shelfOf(SPEC, ["aes", "color"])).toEqual({ value: "", isOther: false });
  expect(shelfOf({ aes: { x: { sql: "a + b" } } }, ["aes", "x"])).toEqual({ value: "", isOther: true });
});

it("changes one shelf and leaves the rest", () => {
  expect(withShelf(SPEC, ["aes", "color"], "shop")).toEqual({ ...SPEC, aes: { ...SPEC.aes, color: "shop" } });
  expect(withShelf({}, ["facet", "wrap"], "shop")).toEqual({ facet: { wrap: "shop" } });
  expect(withShelf({ facet: { wrap: "shop" } }, ["facet", "wrap"], "")).toEqual({});
  expect(withShelf({ facet: "day" }, ["facet", "wrap"], "shop")).toEqual({ facet: { wrap: "shop" } });
});

it("writes a specification that reads back the same", () => {
  for (const spec of [
    SPEC,
    {},
    { title: 'a","b":{c', aes: { x: '{ "y":1' } },
    { layer: [{ geom: "line" }, { geom: "point" }] },
  ])
    expect(readSpec(writeSpec(spec))).toEqual({ spec });
});

it("says what is no specification", () => {
  expect(readSpec("[1]")).toEqual({ problem: "A specification is an object: { … }." });
  expect(readSpec("{")).toHaveProperty("problem");
});
