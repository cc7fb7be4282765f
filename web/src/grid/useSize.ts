import { type RefObject, useLayoutEffect, useState } from "react";

type Size = { width: number; height: number; scrollbar: number };

/** The inner size of an element, and the height its lower scrollbar takes off. */
export function useSize(ref: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0, scrollbar: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const read = () => {
      const { clientWidth: width, clientHeight: height, offsetHeight } = element;
      setSize({ width, height, scrollbar: offsetHeight - height });
    };
    const observer = new ResizeObserver(read);
    observer.observe(element);
    read();
    return () => observer.disconnect();
  }, [ref]);
  return size;
}
