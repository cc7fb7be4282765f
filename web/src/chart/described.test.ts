// @vitest-environment happy-dom
import { parse, type Spec, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import { expect, it } from "vitest";
import { described } from "./described";
import type { Json } from "./themed";

async function names(spec: Json): Promise<(string | null)[]> {
  const runtime = parse(compile(described(spec) as unknown as TopLevelSpec).spec as Spec, undefined, { ast: true });
  const svg = await new View(runtime, { expr: expressionInterpreter, renderer: "none" }).toSVG();
  const marks = new DOMParser().parseFromString(svg, "image/svg+xml").querySelectorAll("[aria-roledescription='bar']");
  return [...marks].map((mark) => mark.getAttribute("aria-label"));
}

const BARS = {
  mark: "bar",
  encoding: {
    x: { field: "_low", type: "quantitative", title: "month" },
    x2: { field: "_high" },
    y: { field: "_value", type: "quantitative", title: "mean of delay" },
    tooltip: [
      { field: "x", type: "quantitative", title: "month", format: ",.6~g" },
      { field: "_value", type: "quantitative", title: "mean of delay", format: ",.4~f" },
      { field: "who", type: "nominal", title: 'the "carrier"' },
    ],
  },
};
const ROWS = [
  { x: 7, _low: 6.55, _high: 7.45, _value: 21.7277871, who: "UA" },
  { x: 8, _low: 7.55, _high: 8.45, _value: 1e7, who: null },
];

it("names marks by what their tooltip says, not by the edges of bars", async () => {
  expect(await names({ data: { values: ROWS }, ...BARS })).toEqual([
    'month: 7; mean of delay: 21.7278; the "carrier": UA',
    'month: 8; mean of delay: 10,000,000; the "carrier": missing',
  ]);
});

it("reaches the marks of layers, and leaves those without a tooltip alone", async () => {
  const silent = { mark: { type: "rule", aria: false }, encoding: { y: { datum: 3 } } };
  expect(await names({ data: { values: ROWS.slice(0, 1) }, layer: [BARS, silent] })).toEqual([
    'month: 7; mean of delay: 21.7278; the "carrier": UA',
  ]);
});

it("says a day without its midnight", async () => {
  const tooltip = [{ field: "day", type: "temporal", title: "day", format: "%Y-%m-%d %H:%M" }];
  const x = { field: "day", type: "temporal" };
  const spec = { data: { values: [{ day: "2012-03-01T00:00:00" }] }, mark: "bar", encoding: { x, tooltip } };
  expect(await names(spec)).toEqual(["day: 2012-03-01"]);
});
