import { type RefObject, useEffect, useRef } from "react";
import { revealColumn } from "./columns";
import type { Cursor } from "./moves";
import { centre, ROW_HEIGHT, reveal } from "./rowScroll";
import type { GridView } from "./useGridView";

/** Scrolls to the selection when it moves or loses its room, and to the first lit row when others are lit. */
export function useFollow(
  scroller: RefObject<HTMLElement | null>,
  view: GridView,
  cursor: Cursor | undefined,
  firstLit: number | undefined,
): void {
  const latest = useRef(view);
  latest.current = view;
  const seen = useRef<number | undefined>(undefined);
  const { isReady } = view;

  const row = cursor?.row;
  const height = view.geometry.bodyHeight;
  const before = useRef(height);
  useEffect(() => {
    if (row === undefined || !isReady) return;
    const { geometry, top, setTop } = latest.current;
    const wasInView = row >= top && row + 1 <= top + before.current / ROW_HEIGHT;
    before.current = height;
    // Whoever has scrolled away from the selection stays there when the window changes.
    if (seen.current === row && !wasInView) return;
    const isStep = seen.current !== undefined && Math.abs(seen.current - row) <= 1;
    seen.current = row;
    const isInView = row >= top && row + 1 <= top + geometry.bodyHeight / ROW_HEIGHT;
    if (!isInView) setTop(isStep ? reveal(geometry, top, row) : centre(geometry, row));
  }, [row, isReady, height]);

  const column = cursor?.column;
  const track = column === undefined ? undefined : view.tracks[column];
  const [left, wide, width] = [track?.left, track?.width, view.size.width];
  // biome-ignore lint/correctness/useExhaustiveDependencies: widths come after the columns
  useEffect(() => {
    const element = scroller.current;
    if (column === undefined || !isReady || element === null) return;
    const { tracks, gutter, size } = latest.current;
    const track = tracks[column];
    if (track) element.scrollLeft = revealColumn(track, gutter, element.scrollLeft, size.width);
  }, [scroller, column, isReady, left, wide, width]);

  useEffect(() => {
    if (firstLit === undefined || !isReady) return;
    latest.current.setTop(centre(latest.current.geometry, firstLit));
  }, [firstLit, isReady]);
}
