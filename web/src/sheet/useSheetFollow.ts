import { type RefObject, useEffect, useRef } from "react";
import { revealColumn } from "../grid/columns";
import type { Cursor } from "../grid/moves";
import { centre, ROW_HEIGHT, reveal } from "../grid/rowScroll";
import type { SheetView } from "./useSheetView";

/** Scrolls to the selection when it moves, and when what shows it becomes smaller or columns get their widths. */
export function useSheetFollow(
  scroller: RefObject<HTMLElement | null>,
  view: SheetView,
  cursor: Cursor | undefined,
): void {
  const latest = useRef(view);
  latest.current = view;
  const seen = useRef<number | undefined>(undefined);
  const isSized = view.size.height > 0;
  const hasTracks = view.tracks.length > 0;

  const row = cursor?.row;
  const height = view.geometry.bodyHeight;
  const before = useRef(height);
  useEffect(() => {
    if (row === undefined || !isSized) return;
    const { geometry, top, setTop } = latest.current;
    const wasInView = row >= top && row + 1 <= top + before.current / ROW_HEIGHT;
    before.current = height;
    // Whoever has scrolled away from the selection stays there when the window changes.
    if (seen.current === row && !wasInView) return;
    const isStep = seen.current !== undefined && Math.abs(seen.current - row) <= 1;
    seen.current = row;
    const isInView = row >= top && row + 1 <= top + geometry.bodyHeight / ROW_HEIGHT;
    if (!isInView) setTop(isStep ? reveal(geometry, top, row) : centre(geometry, row));
  }, [row, isSized, height]);

  const column = cursor?.column;
  const track = column === undefined ? undefined : view.tracks[column];
  const [left, wide, width] = [track?.left, track?.width, view.size.width];
  // biome-ignore lint/correctness/useExhaustiveDependencies: widths come after the columns
  useEffect(() => {
    const element = scroller.current;
    if (column === undefined || !hasTracks || element === null) return;
    const { tracks, frozen, size } = latest.current;
    const track = tracks[column];
    if (track && size.width > 0 && column >= frozen.count)
      element.scrollLeft = revealColumn(track, frozen.end, element.scrollLeft, size.width);
  }, [scroller, column, hasTracks, left, wide, width]);
}
