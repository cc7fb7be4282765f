import { expect, it } from "vitest";
import { themed } from "./themed";

const LOOK = { canvas: "#000", text: "#eee", muted: "#aaa", border: "#333", grid: "#222" };

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
  });
});

it("does not change what it was given", () => {
  const spec = {};
  themed(spec, LOOK);
  expect(spec).toEqual({});
});
