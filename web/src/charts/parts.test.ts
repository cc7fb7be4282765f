import { expect, it } from "vitest";
import type { Json } from "../chart/themed";
import type { Grammar } from "./grammar";
import {
  dropped,
  filtersOf,
  measuresOf,
  newLayer,
  newReference,
  orderOf,
  overlaysOf,
  referenceOf,
  withFilters,
  withMeasures,
  withOrder,
  withOverlays,
  withPart,
} from "./parts";

const FIELDS = [
  { name: "shop", type: "string" },
  { name: "price", type: "double" },
  { name: "cost", type: "double" },
];
const GRAMMAR = {
  reference: { geom: "ruler", stat: "flat", functions: ["mean", "max"] },
  overlay: {
    stats: ["mean", "sum"],
    geom_along_ranges: "thread",
    geom_at_names: "dot",
    colours: ["red", "tan"],
    colour_over_groups: "ink",
  },
} as unknown as Grammar;

it("folds several measures, and unfolds them when one is left", () => {
  const one = { aes: { x: "shop", y: "price" } };
  const two = withMeasures(one, "y", ["price", "cost"], FIELDS);
  expect(two).toEqual({ aes: { x: "shop", y: "value", color: "measure" }, data: { fold: ["price", "cost"] } });
  expect(measuresOf(two)?.columns).toEqual(["price", "cost"]);
  expect(withMeasures(two, "y", ["cost"], FIELDS)).toEqual({ aes: { x: "shop", y: "cost" } });
});

it("names the folded columns apart from those that are there", () => {
  const made = withMeasures({}, "y", ["price", "cost"], [...FIELDS, { name: "value", type: "int" }]);
  expect(made.data).toEqual({ fold: ["price", "cost"], as: ["measure", "value_"] });
});

it("keeps conditions in SQL beside filters", () => {
  const spec = { data: { where: "price > 1" } };
  const made = withFilters(spec, [{ column: "shop", in: ["a"] }]);
  expect(made).toEqual({ data: { where: ["price > 1", { column: "shop", in: ["a"] }] } });
  expect(filtersOf(made)).toEqual({ filters: [{ column: "shop", in: ["a"] }], others: ["price > 1"] });
});

it("reads the reference lines that it writes", () => {
  const lines = [
    { axis: "y", value: 3 },
    { axis: "y", function: "max" },
  ];
  const spec = withOverlays(
    { aes: { x: "shop" } },
    lines.map((line) => newReference(line, GRAMMAR)),
  );
  expect(overlaysOf(spec).map((layer) => referenceOf(layer, GRAMMAR))).toEqual(lines);
  expect(withOverlays(spec, [])).toEqual({ aes: { x: "shop" } });
});

it("orders names by a value or by a column", () => {
  const made = withOrder({ scale: { x: "band" } }, "x", "column cost", true);
  expect(made).toEqual({ aes: { order: "cost" }, scale: { x: { type: "band", order_by: "-order" } } });
  expect(orderOf(made, "x")).toEqual({ by: "column cost", isDown: true });
  expect(withOrder(made, "x", "", false)).toEqual({ scale: { x: { type: "band" } } });
});

it("exchanges what two shelves hold, and copies from the list of fields", () => {
  const spec = { aes: { x: "shop", y: "price" } };
  expect(dropped(spec, { column: "cost" }, ["aes", "y"])).toEqual({ aes: { x: "shop", y: "cost" } });
  expect(dropped(spec, { column: "shop", from: ["aes", "x"] }, ["aes", "y"])).toEqual({
    aes: { x: "price", y: "shop" },
  });
  expect(dropped(spec, { column: "shop", from: ["aes", "x"] }, ["facet", "wrap"])).toEqual({
    aes: { y: "price" },
    facet: { wrap: "shop" },
  });
});

it("leaves nothing of a part that becomes empty", () => {
  expect(withPart({ coord: { flip: true } }, ["coord", "flip"], undefined)).toEqual({});
});

it("begins a layer with a measure that is new, no id, and does not hide the chart", () => {
  const fields = [{ name: "order_id", type: "bigint" }, ...FIELDS, { name: "month", type: "int" }];
  const begun = (spec: Json) => newLayer(spec, fields, GRAMMAR);
  const color = { value: "red" };
  const sums = { aes: { x: "shop", y: "price" }, stat: "sum", geom: "bar" };
  expect(begun(sums)).toEqual({ aes: { y: "cost", color }, stat: "sum", geom: "dot", axis: "right" });
  const counts = { aes: { x: "month" } };
  const means = { aes: { y: "price", color }, stat: "mean", geom: "thread" };
  expect(begun(counts)).toEqual({ ...means, axis: "right" });
  expect(begun({ aes: { x: "month" }, facet: { wrap: "shop" } })).toEqual(means);
  expect(begun({ aes: { x: "price", y: "cost" } })).toEqual({ aes: { y: "month", color } });
});

it("gives each layer a colour that is not below it", () => {
  const sums = { aes: { x: "shop", y: "price" }, stat: "sum", geom: "bar" };
  const once = withOverlays(sums, [newLayer(sums, FIELDS, GRAMMAR)]);
  expect(newLayer(once, FIELDS, GRAMMAR).aes).toEqual({ y: "cost", color: { value: "tan" } });
  const grouped = { ...sums, aes: { ...sums.aes, color: "shop" } };
  expect(newLayer(grouped, FIELDS, GRAMMAR).aes).toEqual({ y: "cost", color: { value: "ink" } });
});
