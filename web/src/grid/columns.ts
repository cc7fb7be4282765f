import type { Schemas } from "../api/client";
import { type NumberFormat, showIn } from "../text/numbers";
import { isNumeric } from "../text/value";

const NARROWEST = 88;
const NARROWEST_NUMBER = 104;
const WIDEST = 320;
const CHARACTER = 7.4;
const BOLD = 8.8;
const CAPITAL = 10;
const PADDING = 30;
/** The button of a column's menu, beside its name. */
const MENU = 22;

export type Track = { left: number; width: number };

/** Each column as wide as its name, type and first rows ask for, within limits. */
export function layOut(
  columns: readonly Schemas["Column"][],
  rows: readonly (readonly unknown[])[],
  formats: readonly (NumberFormat | undefined)[],
  gutter: number,
): Track[] {
  let left = gutter;
  return columns.map((column, i) => {
    const lengths = rows.map((values) => showIn(formats[i], values[i]).length);
    const name = nameWidth(column.name);
    const widest = Math.max(name, Math.max(column.type.length * 0.85, ...lengths) * CHARACTER);
    const narrowest = isNumeric(column.type) ? NARROWEST_NUMBER : NARROWEST;
    const width = Math.round(Math.min(WIDEST, Math.max(narrowest, widest + PADDING)));
    const track = { left, width };
    left += width;
    return track;
  });
}

/** The room that the name of a column takes in bold letters, with the button of its menu. */
export function nameWidth(name: string): number {
  const wide = name.replace(/[^A-Z]/g, "").length;
  return (name.length - wide) * BOLD + wide * CAPITAL + MENU;
}

export function totalWidth(tracks: Track[], gutter: number): number {
  const last = tracks.at(-1);
  return last ? last.left + last.width : gutter;
}

/** The columns to draw: those between two horizontal positions, `end` not included. */
export function visibleColumns(tracks: Track[], from: number, to: number): { first: number; end: number } {
  const first = tracks.findIndex((track) => track.left + track.width > from);
  if (first < 0) return { first: tracks.length, end: tracks.length };
  const after = tracks.findIndex((track, i) => i > first && track.left >= to);
  return { first, end: after < 0 ? tracks.length : after };
}

/** Where to scroll sideways so that a column is wholly in view beside the gutter. */
export function revealColumn(track: Track, gutter: number, scrollLeft: number, viewWidth: number): number {
  if (track.left - gutter < scrollLeft) return track.left - gutter;
  if (track.left + track.width > scrollLeft + viewWidth) return track.left + track.width - viewWidth;
  return scrollLeft;
}
