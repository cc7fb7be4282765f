import { expect, it } from "vitest";
import { readCall, withCall, withOption } from "./calls";

const SPEC = { stat: { type: "bin", bins: 9 }, geom: "bar", scale: { x: { reverse: true } } };

it("reads an operator with its options", () => {
  expect(readCall(SPEC, ["stat"])).toEqual({ name: "bin", options: { bins: 9 }, isOther: false });
  expect(readCall(SPEC, ["geom"])).toEqual({ name: "bar", options: {}, isOther: false });
  expect(readCall(SPEC, ["pos"])).toEqual({ name: "", options: {}, isOther: false });
  expect(readCall(SPEC, ["scale", "x"])).toEqual({ name: "", options: { reverse: true }, isOther: false });
  expect(readCall({ stat: ["count", "sort"] }, ["stat"])).toEqual({ name: "", options: {}, isOther: true });
});

it("changes an operator in its place and leaves the rest", () => {
  expect(withCall(SPEC, ["stat"], "count")).toEqual({ ...SPEC, stat: "count" });
  expect(Object.keys(withCall(SPEC, ["stat"], "count"))).toEqual(["stat", "geom", "scale"]);
  expect(withCall(SPEC, ["stat"], "")).toEqual({ geom: "bar", scale: SPEC.scale });
  expect(withCall(SPEC, ["scale", "y"], "log")).toEqual({ ...SPEC, scale: { ...SPEC.scale, y: "log" } });
  expect(withCall(SPEC, ["scale", "x"], "")).toEqual({ stat: SPEC.stat, geom: "bar" });
});

it("writes options, and none as the plain name", () => {
  expect(withOption(SPEC, ["geom"], "width", 2).geom).toEqual({ type: "bar", width: 2 });
  expect(withOption(SPEC, ["stat"], "bins", null).stat).toBe("bin");
  expect(withOption(SPEC, ["stat"], "unit", "day").stat).toEqual({ type: "bin", bins: 9, unit: "day" });
  expect(withOption(SPEC, ["scale", "x"], "reverse", null)).toEqual({ stat: SPEC.stat, geom: "bar" });
});
