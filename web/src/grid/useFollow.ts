import { type RefObject, useEffect, useRef } from "react";
import { revealColumn, type Track } from "./columns";
import type { Cursor } from "./moves";
import { centre, type Geometry, ROW_HEIGHT, reveal } from "./rowScroll";

/** The part of a view that follows the selection. */
type Followed = {
  geometry: Geometry;
  size: { width: number };
  top: number;
  setTop: (top: number) => void;
  tracks: Track[];
  /** Columns that stay in place, and where the others begin. */
  fixed: { count: number; end: number };
  /** The element has a size; the columns have widths. */
  isReady: { rows: boolean; columns: boolean };
};

/** Scrolls to the selection when it moves or loses its room, and to the first lit row when others are lit. */
export function useFollow(
  scroller: RefObject<HTMLElement | null>,
  view: Followed,
  cursor: Cursor | undefined,
  firstLit?: number,
): void {
  const latest = useRef(view);
  latest.current = view;
  const seen = useRef<number | undefined>(undefined);
  const { rows: areRowsReady, columns: areColumnsReady } = view.isReady;

  const row = cursor?.row;
  const height = view.geometry.bodyHeight;
  const before = useRef(height);
  useEffect(() => {
    if (row === undefined || !areRowsReady) return;
    const { geometry, top, setTop } = latest.current;
    const wasInView = row >= top && row + 1 <= top + before.current / ROW_HEIGHT;
    before.current = height;
    // Whoever has scrolled away from the selection stays there when the window changes.
    if (seen.current === row && !wasInView) return;
    const isStep = seen.current !== undefined && Math.abs(seen.current - row) <= 1;
    seen.current = row;
    const isInView = row >= top && row + 1 <= top + geometry.bodyHeight / ROW_HEIGHT;
    if (!isInView) setTop(isStep ? reveal(geometry, top, row) : centre(geometry, row));
  }, [row, areRowsReady, height]);

  const column = cursor?.column;
  const track = column === undefined ? undefined : view.tracks[column];
  const [left, wide, width] = [track?.left, track?.width, view.size.width];
  // biome-ignore lint/correctness/useExhaustiveDependencies: widths come after the columns
  useEffect(() => {
    const element = scroller.current;
    if (column === undefined || !areColumnsReady || element === null) return;
    const { tracks, fixed, size } = latest.current;
    const track = tracks[column];
    if (track && size.width > 0 && column >= fixed.count)
      element.scrollLeft = revealColumn(track, fixed.end, element.scrollLeft, size.width);
  }, [scroller, column, areColumnsReady, left, wide, width]);

  useEffect(() => {
    if (firstLit === undefined || !areRowsReady) return;
    latest.current.setTop(centre(latest.current.geometry, firstLit));
  }, [firstLit, areRowsReady]);
}
