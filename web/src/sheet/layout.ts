import { layOut, nameWidth, type Track } from "../grid/columns";
import type { NumberFormat } from "../text/numbers";
import type { SheetColumn } from "./api";

/** How somebody has arranged the columns for looking at them; nothing of it changes the data. */
export type Layout = { widths: Readonly<Record<string, number>>; frozen: number; hidden: readonly string[] };

export const PLAIN: Layout = { widths: {}, frozen: 0, hidden: [] };
export const NARROWEST = 48;
const WIDEST = 900;
const WITH_HISTOGRAM = 128;
/** The letter of a column before its name, and the space around both. */
const BESIDE_NAME = 46;
const WIDEST_NAME = 260;

/** Where each column stands: as wide as it was drawn, else as its first rows ask for; one that is hidden takes no room. */
export function tracksOf(
  columns: readonly SheetColumn[],
  rows: readonly (readonly unknown[])[],
  formats: readonly (NumberFormat | undefined)[],
  gutter: number,
  layout: Layout,
): Track[] {
  let left = gutter;
  return layOut(columns, rows, formats, gutter).map(({ width }, i) => {
    const name = columns[i]?.name ?? "";
    const named = Math.min(WIDEST_NAME, nameWidth(name) + BESIDE_NAME);
    const wanted = layout.widths[name] ?? Math.max(width, WITH_HISTOGRAM, named);
    const track = { left, width: layout.hidden.includes(name) ? 0 : clampWidth(wanted) };
    left += track.width;
    return track;
  });
}

/** The column where the cursor stops that was to go to one which may be hidden: on in its direction, else back. */
export function shownColumn(wanted: number, from: number, isShown: readonly boolean[]): number {
  const step = wanted < from ? -1 : 1;
  for (let at = wanted; at >= 0 && at < isShown.length; at += step) if (isShown[at]) return at;
  for (let at = wanted; at >= 0 && at < isShown.length; at -= step) if (isShown[at]) return at;
  return wanted;
}

export function clampWidth(width: number): number {
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
}

/** Frozen columns may take no more than this share of the view: the rest must stay reachable. */
const MOST_FROZEN = 0.7;

/** How many columns stay in place when the rest scrolls sideways, and where the others begin. */
export function frozenIn(
  tracks: Track[],
  wanted: number,
  gutter: number,
  viewWidth: number,
): { count: number; end: number } {
  let count = 0;
  let end = gutter;
  for (const track of tracks.slice(0, wanted)) {
    if (track.left + track.width > viewWidth * MOST_FROZEN) break;
    count++;
    end = track.left + track.width;
  }
  return { count, end };
}

const name = (dataset: string) => `whence.layout.${dataset}`;

export function readLayout(dataset: string, shelf: Pick<Storage, "getItem"> = window.localStorage): Layout {
  try {
    const { widths, frozen, hidden } = JSON.parse(shelf.getItem(name(dataset)) ?? "{}") as Partial<Layout>;
    const known = Object.entries(widths ?? {}).filter(([, width]) => Number.isFinite(width));
    return {
      widths: Object.fromEntries(known),
      frozen: Number.isInteger(frozen) ? Math.max(0, frozen ?? 0) : 0,
      hidden: Array.isArray(hidden) ? hidden.filter((each) => typeof each === "string") : [],
    };
  } catch {
    return PLAIN;
  }
}

export function keepLayout(
  dataset: string,
  layout: Layout,
  shelf: Pick<Storage, "setItem"> = window.localStorage,
): void {
  shelf.setItem(name(dataset), JSON.stringify(layout));
}
