import { describe, expect, it } from "vitest";
import { markOf, withPositions } from "./marks";
import { type Highlights, readMessage } from "./messages";

const nothing: Highlights = {
  type: "highlights",
  version: 1,
  stale: [],
  fresh: [],
  refresher: [],
  would_fail: {},
  again: {},
  reasons: {},
};

describe("the mark of a cell", () => {
  it("names other cells by their place", () => {
    const now = { ...nothing, stale: ["x3"], reasons: { x3: "uses `b` from cell x2; run cell x2 first" } };
    expect(markOf("x3", now, ["x1", "x2", "x3"])).toEqual({
      kind: "stale",
      text: "Stale: uses `b` from cell 2; run cell 2 first",
      canRunFirst: true,
    });
  });

  it("is the gravest of several, and none for a cell in order", () => {
    const now = { ...nothing, fresh: ["a"], refresher: ["a"], again: { a: "would start over" }, reasons: { a: "why" } };
    expect(markOf("a", now, ["a"])?.kind).toBe("refresher");
    expect(markOf("b", now, ["a", "b"])).toBeNull();
    expect(markOf("c", { ...nothing, again: { c: "would start" } }, ["c"])?.text).toBe("Again: would start");
  });
});

it("leaves a text without ids alone", () => {
  expect(withPositions("nothing here", ["x"])).toBe("nothing here");
});

it("takes known messages only", () => {
  expect(readMessage({ type: "highlights" })).not.toBeNull();
  expect(readMessage({ type: "other" })).toBeNull();
  expect(readMessage(null)).toBeNull();
});
