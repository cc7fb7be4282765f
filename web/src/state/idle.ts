import { useEffect, useState } from "react";

const LONGEST_WAIT = 1500;

/** False at first, true once the browser has nothing better to do; for what nobody waits for. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    if (!("requestIdleCallback" in window)) {
      const timer = setTimeout(() => setIdle(true), LONGEST_WAIT / 3);
      return () => clearTimeout(timer);
    }
    const asked = window.requestIdleCallback(() => setIdle(true), { timeout: LONGEST_WAIT });
    return () => window.cancelIdleCallback(asked);
  }, []);
  return isIdle;
}
