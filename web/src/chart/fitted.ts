import { sized } from "../page/sized";
import type { Json } from "./themed";

const TALLEST = 520;
/** What axes and titles take of the height. */
const AXES = 60;

/** A picture as wide as its place, and at least as high as it was made: lists of names need their height. */
export function fittedTo(vega: Json, width: number | undefined): Json {
  if (width === undefined) return vega;
  const made = typeof vega.height === "number" ? vega.height + AXES : 0;
  // Slanted labels were given just the room they need: in less they would lie on each other.
  if (typeof vega.width === "number" && width < vega.width + AXES && hasSlantedLabels(vega)) return vega;
  return sized(vega, { width, height: Math.round(Math.max(made, Math.min(width * 0.5, TALLEST))) });
}

function hasSlantedLabels({ layer, encoding }: Json): boolean {
  if (Array.isArray(layer)) return layer.some((each) => hasSlantedLabels(each as Json));
  const axis = ((encoding as Json | undefined)?.x as Json | undefined)?.axis as Json | undefined;
  return axis?.labelOverlap === false;
}

/** Whether a chart was declared with a size of its own, as an object or as JSON text. */
export function hasOwnSize(declared: unknown): boolean {
  if (typeof declared === "string") {
    try {
      return hasOwnSize(JSON.parse(declared));
    } catch {
      return false;
    }
  }
  const { width, height } = (declared ?? {}) as { width?: unknown; height?: unknown };
  return width !== undefined || height !== undefined;
}
