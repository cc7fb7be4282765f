import { type PointerEvent, useRef, useState } from "react";
import type { Track } from "../grid/columns";
import { clampWidth } from "./layout";

const SLACK = 6;

type Drag = { onMove: (from: number, to: number) => void; onPick: (column: number, extend: boolean) => void };

/** Before which column a horizontal position falls: the nearest edge. */
export function dropAt(tracks: Track[], x: number): number {
  const after = tracks.findIndex((track) => x < track.left + track.width / 2);
  return after < 0 ? tracks.length : after;
}

/** A press on a column's name picks the column; moved far enough, it takes the column elsewhere. */
export function useColumnDrag(tracks: Track[], { onMove, onPick }: Drag) {
  const [drop, setDrop] = useState<number>();
  const state = useRef<{ from: number; startX: number; to?: number } | undefined>(undefined);
  const press = (column: number) => (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    const header = event.currentTarget;
    const scroller = header.closest<HTMLElement>('[role="grid"]');
    state.current = { from: column, startX: event.clientX };
    header.setPointerCapture(event.pointerId);
    const extend = event.shiftKey;
    header.onpointermove = (moved) => {
      const drag = state.current;
      if (drag === undefined || scroller === null) return;
      if (drag.to === undefined && Math.abs(moved.clientX - drag.startX) < SLACK) return;
      drag.to = dropAt(tracks, moved.clientX - scroller.getBoundingClientRect().left + scroller.scrollLeft);
      setDrop(drag.to);
    };
    header.onpointerup = header.onpointercancel = (over) => {
      header.onpointermove = header.onpointerup = header.onpointercancel = null;
      const drag = state.current;
      state.current = undefined;
      setDrop(undefined);
      if (drag === undefined || over.type === "pointercancel") return;
      if (drag.to === undefined) onPick(column, extend);
      else if (drag.to !== column && drag.to !== column + 1) onMove(column, drag.to);
    };
  };
  return { drop, press };
}

/** Draws a column's edge to where the pointer goes. */
export function startResize(event: PointerEvent<HTMLElement>, width: number, onWidth: (width: number) => void): void {
  const handle = event.currentTarget;
  const startX = event.clientX;
  handle.setPointerCapture(event.pointerId);
  handle.onpointermove = (moved) => onWidth(clampWidth(width + moved.clientX - startX));
  handle.onpointerup = handle.onpointercancel = () => {
    handle.onpointermove = handle.onpointerup = handle.onpointercancel = null;
  };
}
