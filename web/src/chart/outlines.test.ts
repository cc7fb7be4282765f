import { expect, it } from "vitest";
import { withOutlines } from "./outlines";

const GROUND = { data: { name: "world" }, mark: "geoshape" };

it("brings the outlines of countries to a map, also in the panels of a facet", async () => {
  const made = await withOutlines({ vconcat: [{ hconcat: [{ layer: [GROUND] }] }], datasets: { rows: [] } });
  const { world, rows } = made.datasets as { world: { objects: { countries: { geometries: unknown[] } } }; rows: [] };
  expect(world.objects.countries.geometries.length).toBeGreaterThan(170);
  expect(rows).toEqual([]);
});

it("leaves other charts, and maps that have their outlines, as they are", async () => {
  const bars = { data: { name: "rows" }, mark: "bar" };
  expect(await withOutlines(bars)).toBe(bars);
  const whole = { layer: [GROUND], datasets: { world: {} } };
  expect(await withOutlines(whole)).toBe(whole);
});
