import { expect, it } from "vitest";
import { themed } from "./themed";

const LOOK = {
  canvas: "#000",
  text: "#eee",
  muted: "#aaa",
  border: "#333",
  grid: "#222",
  doubt: "#f77",
  isDark: true,
};

it("takes the page's colours and leaves the marks alone", () => {
  const spec = { mark: "bar", config: { axis: { labelFontSize: 11, gridColor: "white" }, bar: { color: "blue" } } };
  const made = themed(spec, LOOK) as unknown as { config: Record<string, Record<string, unknown>>; mark: string };
  expect(made.config.axis).toMatchObject({ labelFontSize: 11, gridColor: "#222", labelColor: "#aaa" });
  expect(made.config.bar).toEqual({ color: "blue" });
  expect(made.mark).toBe("bar");
  expect(made.config.style).toEqual({
    gap: { stroke: "#000" },
    rings: { stroke: "#222" },
    ground: { color: "#222", stroke: "#000" },
    doubt: { color: "#f77", stroke: "#f77" },
    doubt_fill: { color: "#f77" },
  });
});

it("lets legends of sizes and shapes be seen on a dark page", () => {
  const made = themed({}, LOOK) as { config: { legend: unknown } };
  expect(made.config.legend).toMatchObject({ symbolBaseFillColor: "#aaa", symbolBaseStrokeColor: "#aaa" });
});

it("gives the greatest value the lightest blue on a dark page only, and leaves other colours and the data alone", () => {
  const layer = (scheme: unknown) => ({ encoding: { color: { field: "n", scale: { scheme } } } });
  const spec = {
    layer: [layer("blues"), layer({ name: "blues", count: 4 }), layer("viridis")],
    datasets: { rows: [{ scheme: "blues" }] },
  };
  const turned = { name: "blues", extent: [0.95, 0.2] };
  expect(themed(spec, LOOK)).toMatchObject({
    layer: [layer(turned), layer({ ...turned, count: 4 }), layer("viridis")],
    datasets: { rows: [{ scheme: "blues" }] },
  });
  expect(themed(spec, { ...LOOK, isDark: false })).toMatchObject(spec);
});

it("turns what is ink light on a dark page, so that a layer over colours can be seen on it", () => {
  const layer = (colour: unknown) => ({ encoding: { color: { value: colour }, y: { axis: { titleColor: colour } } } });
  const spec = { layer: [layer("#123"), layer("red"), layer(null)], config: { text: { color: "#123" } } };
  expect(themed(spec, LOOK)).toMatchObject({ layer: [layer("#eee"), layer("red"), layer(null)] });
  expect(themed(spec, { ...LOOK, isDark: false })).toMatchObject({ layer: spec.layer });
  expect(themed({ layer: [layer(null)] }, LOOK)).toMatchObject({ layer: [layer(null)] });
});

it("does not change what it was given", () => {
  const spec = {};
  themed(spec, LOOK);
  expect(spec).toEqual({});
});
