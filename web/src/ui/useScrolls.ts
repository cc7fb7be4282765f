import { type RefObject, useCallback, useEffect, useState } from "react";

/** Whether an element is too small for what is in it; `measure` looks again after its content has changed. */
export function useScrolls(ref: RefObject<HTMLElement | null>): { scrolls: boolean; measure: () => void } {
  const [scrolls, setScrolls] = useState(false);
  const measure = useCallback(() => {
    const element = ref.current;
    if (element) setScrolls(element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight);
  }, [ref]);
  useEffect(() => {
    if (ref.current === null) return;
    const observer = new ResizeObserver(measure);
    observer.observe(ref.current);
    // What is in it may become narrower while the element itself stays as it is.
    const changes = new MutationObserver(measure);
    changes.observe(ref.current, { childList: true, subtree: true, attributeFilter: ["width", "style"] });
    return () => {
      observer.disconnect();
      changes.disconnect();
    };
  }, [ref, measure]);
  return { scrolls, measure };
}
