import type { Json } from "./themed";

/** The name of the data set with the outlines of countries, which the server leaves to the page. */
const NAME = "world";
const PARTS = ["layer", "concat", "hconcat", "vconcat"];

/** The specification with the outlines that a map shows; only a page with a map fetches them. */
export async function withOutlines(spec: Json): Promise<Json> {
  const datasets = (spec.datasets ?? {}) as Json;
  if (NAME in datasets || !showsOutlines(spec)) return spec;
  const { default: world } = await import("world-atlas/countries-110m.json");
  return { ...spec, datasets: { ...datasets, [NAME]: world } };
}

function showsOutlines(view: Json): boolean {
  if ((view.data as Json | undefined)?.name === NAME) return true;
  return PARTS.some((part) => Array.isArray(view[part]) && (view[part] as Json[]).some(showsOutlines));
}
