import { type RefObject, useEffect } from "react";

/** Pixels that stay free below what grew. */
const MARGIN = 12;

/**
 * Brings what a cell shows into sight as it grows: a preview below its form, a result below its text. It moves only the
 * cell in which the focus is, and only as far as the focus stays in sight.
 */
export function useGrowInView(card: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const cell = card.current;
    if (cell === null) return;
    let height = cell.offsetHeight;
    const watch = new ResizeObserver(() => {
      const grew = cell.offsetHeight > height;
      height = cell.offsetHeight;
      if (grew) follow(cell);
    });
    watch.observe(cell);
    return () => watch.disconnect();
  }, [card]);
}

function follow(cell: HTMLElement): void {
  const focused = document.activeElement;
  const frame = scrollerOf(cell);
  if (focused === null || frame === undefined || !cell.contains(focused)) return;
  const { top, bottom } = frame.getBoundingClientRect();
  const place = focused.getBoundingClientRect();
  if (place.top < top || place.top > bottom) return; // the reader has gone elsewhere
  const hidden = cell.getBoundingClientRect().bottom + MARGIN - bottom;
  const room = place.top - top - MARGIN;
  if (hidden > 0 && room > 0) frame.scrollBy({ top: Math.min(hidden, room) });
}

function scrollerOf(element: HTMLElement): HTMLElement | undefined {
  for (let each = element.parentElement; each !== null; each = each.parentElement)
    if (getComputedStyle(each).overflowY === "auto") return each;
  return undefined;
}
