import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { clampTop, type Geometry, isCompressed, ROW_HEIGHT, scrollFromTop, topFromScroll } from "./rowScroll";

type RowScroll = { top: number; left: number; setTop: (top: number) => void; onScroll: () => void };

/** Keeps the first visible row and the scrollbar of an element in step, whichever of them moves. */
export function useRowScroll(ref: RefObject<HTMLElement | null>, { rowCount, bodyHeight }: Geometry): RowScroll {
  const [top, keepTop] = useState(0);
  const [left, setLeft] = useState(0);
  const echo = useRef<number | undefined>(undefined);
  const current = useRef(top);

  const setTop = useCallback(
    (wanted: number) => {
      const geometry = { rowCount, bodyHeight };
      const next = clampTop(geometry, wanted);
      current.current = next;
      keepTop(next);
      const element = ref.current;
      if (element === null) return;
      const before = element.scrollTop;
      element.scrollTop = scrollFromTop(geometry, next);
      // Browsers round what is set; the scroll event it causes must not move the rows again.
      if (element.scrollTop !== before) echo.current = element.scrollTop;
    },
    [ref, rowCount, bodyHeight],
  );

  const onScroll = useCallback(() => {
    const element = ref.current;
    if (element === null) return;
    setLeft(element.scrollLeft);
    if (echo.current === element.scrollTop) return;
    echo.current = undefined;
    current.current = topFromScroll({ rowCount, bodyHeight }, element.scrollTop);
    keepTop(current.current);
  }, [ref, rowCount, bodyHeight]);

  useLayoutEffect(() => {
    if (bodyHeight > 0) setTop(current.current);
  }, [bodyHeight, setTop]);

  useEffect(() => {
    const element = ref.current;
    if (element === null || !isCompressed({ rowCount, bodyHeight })) return;
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey || event.shiftKey || event.deltaY === 0) return;
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 1 : 1 / ROW_HEIGHT;
      setTop(current.current + event.deltaY * unit);
    };
    // React adds wheel listeners as passive ones, which may not prevent the browser's own scrolling.
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [ref, rowCount, bodyHeight, setTop]);

  return { top, left, setTop, onScroll };
}
