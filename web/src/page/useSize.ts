import { type RefObject, useEffect, useState } from "react";
import type { Size } from "./sized";

const SOON = 150;

/** The inner size of an element, some time after it stopped changing: a chart is drawn anew for each. */
export function useSize(element: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>();
  useEffect(() => {
    const watched = element.current;
    if (!watched) return;
    let waiting: number | undefined;
    const read = () => {
      const next = { width: watched.clientWidth, height: watched.clientHeight };
      setSize((known) => (known?.width === next.width && known.height === next.height ? known : next));
    };
    read();
    const observer = new ResizeObserver(() => {
      window.clearTimeout(waiting);
      waiting = window.setTimeout(read, SOON);
    });
    observer.observe(watched);
    return () => {
      window.clearTimeout(waiting);
      observer.disconnect();
    };
  }, [element]);
  return size;
}
