import type { Json } from "../chart/themed";
import type { Box } from "./drawMarks";

export type Rect = { left: number; top: number; right: number; bottom: number };
/** Which way a drag selects: a stretch of one axis, or a rectangle. */
export type Band = "x" | "y" | "both";

/** The rectangle between two corners, stretched over the whole picture across the axis that a drag is along. */
export function stretched(from: { x: number; y: number }, to: { x: number; y: number }, band: Band): Rect {
  return {
    left: band === "y" ? Number.NEGATIVE_INFINITY : Math.min(from.x, to.x),
    right: band === "y" ? Number.POSITIVE_INFINITY : Math.max(from.x, to.x),
    top: band === "x" ? Number.NEGATIVE_INFINITY : Math.min(from.y, to.y),
    bottom: band === "x" ? Number.POSITIVE_INFINITY : Math.max(from.y, to.y),
  };
}

/** The panel of a facet in which a drag began; undefined where it began beside all of them. Panels lie in larger ones. */
export function panelAt(panels: Rect[], { x, y }: { x: number; y: number }): Rect | undefined {
  return panels
    .filter(({ left, top, right, bottom }) => x >= left && x <= right && y >= top && y <= bottom)
    .sort((one, other) => area(one) - area(other))[0];
}

function area({ left, top, right, bottom }: Rect): number {
  return (right - left) * (bottom - top);
}

/** The part of a rectangle that lies in a panel: what is brushed in one is brushed in no other. */
export function within(rect: Rect, panel: Rect | undefined): Rect {
  if (!panel) return rect;
  return {
    left: Math.max(rect.left, panel.left),
    right: Math.min(rect.right, panel.right),
    top: Math.max(rect.top, panel.top),
    bottom: Math.min(rect.bottom, panel.bottom),
  };
}

export type Point = { x: number; y: number };
export type Slice = { startAngle?: number; endAngle?: number; innerRadius?: number; outerRadius?: number };

const FINE = 5;

/** Places all over a slice, a few pixels from each other, from the centre of its circle. */
export function placesInSlice({ startAngle = 0, endAngle = 0, innerRadius = 0, outerRadius = 0 }: Slice): Point[] {
  const places: Point[] = [];
  const rings = Math.max(1, Math.ceil((outerRadius - innerRadius) / FINE));
  for (let ring = 0; ring < rings; ring++) {
    const radius = innerRadius + ((ring + 0.5) / rings) * (outerRadius - innerRadius);
    const count = Math.max(1, Math.ceil((Math.abs(endAngle - startAngle) * radius) / FINE));
    for (let step = 0; step < count; step++) {
      const angle = startAngle + ((step + 0.5) / count) * (endAngle - startAngle);
      places.push({ x: radius * Math.sin(angle), y: -radius * Math.cos(angle) });
    }
  }
  return places;
}

/** The marks that a rectangle covers in part; to touch an edge is not enough, unless the mark is no wider than that. */
export function marksIn(boxes: Box[], { left, top, right, bottom }: Rect): number[] {
  return boxes
    .filter(({ x, y, width, height, places }) =>
      places
        ? places.some((place) => place.x >= left && place.x <= right && place.y >= top && place.y <= bottom)
        : overlaps(x, x + width, left, right) && overlaps(y, y + height, top, bottom),
    )
    .map(({ mark }) => mark)
    .sort((one, other) => one - other);
}

function overlaps(first: number, last: number, low: number, high: number): boolean {
  return last - first < 1 ? first >= low && first <= high : first + 0.5 < high && last - 0.5 > low;
}

type Drawn = { mark?: unknown; layer?: unknown; concat?: unknown; hconcat?: unknown; vconcat?: unknown };

/** How a line is drawn that goes around a mark. */
const CLOSED = "linear-closed";

/** Which way drags go: along the axis that bars and lines stand on; points and squares are caught in rectangles. */
export function bandOf(spec: Json): Band {
  const marks = marksOf(spec);
  const connected = marks.filter(
    ({ type, interpolate }) => type === "bar" || type === "area" || (type === "line" && interpolate !== CLOSED),
  );
  if (connected.length === 0) return "both";
  return connected.some(({ orient }) => orient === "horizontal") ? "y" : "x";
}

function marksOf(spec: Drawn): { type?: unknown; orient?: unknown; interpolate?: unknown }[] {
  const inner = [spec.layer, spec.concat, spec.hconcat, spec.vconcat].flatMap((part) =>
    Array.isArray(part) ? part : [],
  );
  const own = typeof spec.mark === "string" ? [{ type: spec.mark }] : spec.mark ? [spec.mark as Json] : [];
  return [...own, ...inner.flatMap(marksOf)];
}
