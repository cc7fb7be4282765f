import { type RefObject, useEffect } from "react";

const MOVES = ["wheel", "keydown", "pointerdown", "touchmove"];

/**
 * Brings the selected value of a table into sight, and again if it is pushed away: in a narrow window the inspector opens
 * below, and notes above grow once they are drawn. It ends as soon as the reader does anything.
 */
export function useKeepInView(
  table: RefObject<HTMLElement | null>,
  row: number | undefined,
  column: string | undefined,
) {
  useEffect(() => {
    const value = table.current?.querySelector("[aria-selected]");
    if (!value || row === undefined || column === undefined) return;
    const watch = new IntersectionObserver(
      ([seen]) => {
        if (seen && seen.intersectionRatio < 1) value.scrollIntoView({ block: "nearest" });
      },
      // Several, so that a value which one move leaves half hidden is seen to move again.
      { threshold: [0, 0.25, 0.5, 0.75, 1] },
    );
    const end = () => {
      watch.disconnect();
      for (const kind of MOVES) window.removeEventListener(kind, end);
    };
    watch.observe(value);
    for (const kind of MOVES) window.addEventListener(kind, end, { passive: true });
    return end;
  }, [table, row, column]);
}
