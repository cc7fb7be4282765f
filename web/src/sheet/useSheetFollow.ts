import { type RefObject, useEffect, useRef } from "react";
import { revealColumn } from "../grid/columns";
import type { Cursor } from "../grid/moves";
import { centre, ROW_HEIGHT, reveal } from "../grid/rowScroll";
import type { SheetView } from "./useSheetView";

/** Scrolls to the selection when it moves; never otherwise. */
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
  useEffect(() => {
    if (row === undefined || !isSized) return;
    const { geometry, top, setTop } = latest.current;
    const isStep = seen.current !== undefined && Math.abs(seen.current - row) <= 1;
    seen.current = row;
    const isInView = row >= top && row + 1 <= top + geometry.bodyHeight / ROW_HEIGHT;
    if (!isInView) setTop(isStep ? reveal(geometry, top, row) : centre(geometry, row));
  }, [row, isSized]);

  const column = cursor?.column;
  useEffect(() => {
    const element = scroller.current;
    if (column === undefined || !hasTracks || element === null) return;
    const { tracks, frozen, size } = latest.current;
    const track = tracks[column];
    if (track && column >= frozen.count)
      element.scrollLeft = revealColumn(track, frozen.end, element.scrollLeft, size.width);
  }, [scroller, column, hasTracks]);
}
