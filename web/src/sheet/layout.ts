import { layOut, type Track } from "../grid/columns";
import type { SheetColumn } from "./api";
import type { SheetRow } from "./SheetRow";

/** How somebody has arranged the columns for looking at them; nothing of it changes the data. */
export type Layout = { widths: Readonly<Record<string, number>>; frozen: number };

export const PLAIN: Layout = { widths: {}, frozen: 0 };
export const NARROWEST = 48;
const WIDEST = 900;
const WITH_HISTOGRAM = 128;

/** Where each column stands: as wide as it was drawn, else as its first rows ask for. */
export function tracksOf(columns: readonly SheetColumn[], rows: SheetRow[], gutter: number, layout: Layout): Track[] {
  const sample = rows.map(({ values, marks, isDoubtful }) => ({ values: [...values], marks, isDoubtful, line: null }));
  let left = gutter;
  return layOut([...columns], sample, gutter).map(({ width }, i) => {
    const wanted = layout.widths[columns[i]?.name ?? ""] ?? Math.max(width, WITH_HISTOGRAM);
    const track = { left, width: clampWidth(wanted) };
    left += track.width;
    return track;
  });
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
    const { widths, frozen } = JSON.parse(shelf.getItem(name(dataset)) ?? "{}") as Partial<Layout>;
    const known = Object.entries(widths ?? {}).filter(([, width]) => Number.isFinite(width));
    return { widths: Object.fromEntries(known), frozen: Number.isInteger(frozen) ? Math.max(0, frozen ?? 0) : 0 };
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
