/**
 * Scrolling in rows, not pixels. Browsers cap an element's height (Chromium at 33,554,400 px), so a table of ten million
 * rows cannot be as tall as its rows. The first visible row is a number; the scrollbar only stands for it.
 */
export const ROW_HEIGHT = 30;
export const HEADER_HEIGHT = 46;
const TALLEST_SPACER = 8_000_000;

export type Geometry = {
  rowCount: number;
  /** Height of the part of the viewport below the header, in pixels. */
  bodyHeight: number;
};

export function spacerHeight({ rowCount }: Geometry): number {
  return Math.min(rowCount * ROW_HEIGHT, TALLEST_SPACER);
}

/** Whether a pixel of the scrollbar stands for more than a pixel of rows. */
export function isCompressed(geometry: Geometry): boolean {
  return geometry.rowCount * ROW_HEIGHT > TALLEST_SPACER;
}

export function lastTop({ rowCount, bodyHeight }: Geometry): number {
  return Math.max(0, rowCount - bodyHeight / ROW_HEIGHT);
}

export function clampTop(geometry: Geometry, top: number): number {
  return Math.min(Math.max(0, top), lastTop(geometry));
}

function scrollRange(geometry: Geometry): number {
  return Math.max(0, spacerHeight(geometry) - geometry.bodyHeight);
}

/** The first visible row for a position of the scrollbar. */
export function topFromScroll(geometry: Geometry, scrollTop: number): number {
  if (!isCompressed(geometry)) return clampTop(geometry, scrollTop / ROW_HEIGHT);
  return clampTop(geometry, (scrollTop / scrollRange(geometry)) * lastTop(geometry));
}

/** Where the scrollbar stands for a first visible row. */
export function scrollFromTop(geometry: Geometry, top: number): number {
  if (!isCompressed(geometry)) return top * ROW_HEIGHT;
  return (top / lastTop(geometry)) * scrollRange(geometry);
}

/** The nearest first visible row at which `row` is wholly in view. */
export function reveal(geometry: Geometry, top: number, row: number): number {
  const whole = Math.floor(geometry.bodyHeight / ROW_HEIGHT);
  if (row < top) return clampTop(geometry, row);
  if (row + 1 > top + geometry.bodyHeight / ROW_HEIGHT) return clampTop(geometry, row + 1 - Math.max(1, whole));
  return top;
}

/** A first visible row at which `row` stands in the upper third, for jumps from elsewhere. */
export function centre(geometry: Geometry, row: number): number {
  return clampTop(geometry, row - Math.floor(geometry.bodyHeight / ROW_HEIGHT / 3));
}

/** The rows to draw, from `first` up to but not including `end`. */
export function visibleRows(geometry: Geometry, top: number): { first: number; end: number } {
  const first = Math.floor(top);
  const end = Math.min(geometry.rowCount, Math.ceil(top + geometry.bodyHeight / ROW_HEIGHT));
  return { first, end };
}
