import { useEffect, useState } from "react";

const PAUSE = 200;

/** A value as it was when it had not changed for a moment: what is asked for each key pressed would come too late. */
export function useLater<T>(value: T): T {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return later;
}
