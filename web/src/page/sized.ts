import type { Json } from "../chart/themed";

export type Size = { width: number; height: number };

/** A chart of one panel drawn as large as its place on the page; several panels keep the sizes they have. */
export function sized(spec: Json, size: Size | undefined): Json {
  const isOnePanel = typeof spec.width === "number" && (spec.mark !== undefined || spec.layer !== undefined);
  if (!isOnePanel || size === undefined || size.width < 80 || size.height < 80) return spec;
  return { ...spec, ...size, autosize: { type: "fit", contains: "padding" } };
}
