import { expect, it } from "vitest";
import { channelsOf, findOperator, type Grammar, optionsOf } from "./grammar";

const channel = (name: string, is_basic: boolean) => ({ name, label: name, is_basic, is_scaled: true });
const operator = (name: string, channels: string[], aliases: string[] = []) => ({
  ...{ name, title: "", aliases, options: [], needs: [], channels, kinds: [] },
});
const GRAMMAR: Grammar = {
  channels: [channel("x", true), channel("y", true), channel("size", true), channel("shape", false)],
  geoms: [operator("hexagon", ["x", "y", "shape"], ["honeycomb"])],
  stats: [],
  positions: [],
  scales: [],
  toggles: [],
  reference: { geom: "", stat: "", functions: [] },
  overlay: { stats: [], geom_along_ranges: "", geom_at_names: "", colours: [], colour_over_groups: "" },
};
const names = (spec: Record<string, unknown>) => {
  const { first, more } = channelsOf(GRAMMAR, spec);
  return [first.map(({ name }) => name), more.map(({ name }) => name)];
};

it("finds an operator by its name and by its other names", () => {
  expect(findOperator(GRAMMAR.geoms, "honeycomb")?.name).toBe("hexagon");
  expect(findOperator(GRAMMAR.geoms, "bar")).toBeUndefined();
});

it("offers the channels of the geom, and those that are mapped anyway", () => {
  expect(names({})).toEqual([["x", "y", "size"], ["shape"]]);
  expect(names({ geom: "hexagon" })).toEqual([["x", "y"], ["shape"]]);
  expect(names({ geom: "honeycomb", aes: { size: "a", shape: "b" } })).toEqual([["x", "y", "size", "shape"], []]);
});

it("offers every channel and a form of what is written for a geom that nobody knows", () => {
  expect(names({ geom: "unheard" })).toEqual([["x", "y", "size"], ["shape"]]);
  const options = optionsOf(undefined, { name: "unheard", options: { petals: 5 }, isOther: false });
  expect(options.map(({ name, kind }) => [name, kind])).toEqual([["petals", "value"]]);
});
