import { expect, it } from "vitest";
import type { Json } from "../chart/themed";
import { overlaid, reaching } from "./overlaid";

const BAR: Json = {
  mark: { type: "bar" },
  data: { name: "rows" },
  encoding: { x: { field: "x" }, color: { field: "color", type: "nominal" } },
};
const DOUBT: Json = { mark: "point", data: { name: "doubtful" }, encoding: {} };

it("puts exchangeable marks over grey ones, and doubts on top", () => {
  const { spec } = overlaid({ width: 9, layer: [BAR, DOUBT], datasets: { rows: [{ x: 1 }], doubtful: [] } }, "#999");
  const [grey, selected, doubt] = spec.layer as [Json, Json, Json];
  expect(grey.encoding).toEqual({
    x: { field: "x" },
    detail: { field: "color", type: "nominal" },
    color: { value: "#999" },
  });
  expect(selected).toEqual({ ...BAR, data: { name: "selected" } });
  expect(doubt).toEqual(DOUBT);
  expect(spec.datasets).toEqual({ rows: [{ x: 1 }], doubtful: [], selected: [{ x: 1 }] });
  expect(spec.width).toBe(9);
});

it("reaches into the panels of a facet and leaves what holds no marks alone", () => {
  const empty = { data: { values: [] }, mark: "point" };
  const panel = { ...BAR, data: { name: "rows_1" }, title: "b", width: 5 };
  const { spec } = overlaid({ vconcat: [{ hconcat: [panel, empty] }], datasets: { rows_1: [] } }, "#999");
  const [line] = spec.vconcat as [{ hconcat: [Json, Json] }];
  const [first, second] = line.hconcat;
  expect((first.layer as Json[]).map((layer) => (layer.data as Json).name)).toEqual(["rows_1", "selected_1"]);
  expect(first).toMatchObject({ title: "b", width: 5 });
  expect(second).toBe(empty);
});

it("lets the ends of number axes move, and says where other values need them", () => {
  const y = { field: "y", type: "quantitative", scale: { domain: [2, 5], nice: false } };
  const y2 = { field: "upper" };
  const { spec, axes } = overlaid({ ...BAR, encoding: { y, y2 }, datasets: { rows: [] } }, "#999");
  const fields = ["y", "upper"];
  expect(axes).toEqual([{ channel: "y", low: "y_low_0", high: "y_high_0", from: 2, to: 5, fields }]);
  expect(spec.params).toEqual([
    { name: "y_low_0", value: 2 },
    { name: "y_high_0", value: 5 },
  ]);
  const scale = { domain: [{ expr: "y_low_0" }, { expr: "y_high_0" }], nice: false };
  expect((spec.layer as [Json, Json])[1].encoding).toEqual({ y: { ...y, scale }, y2 });
  const [axis] = axes;
  expect(axis && reaching(axis, [{ y: 7, upper: 0 }, { y: 3 }])).toEqual([0, 7]);
  expect(axis && reaching({ ...axis, from: 5, to: 2 }, [{ y: 7 }, { y: null }])).toEqual([7, 2]);
});
