import { useCallback, useState } from "react";
import { keepLayout, type Layout, readLayout } from "./layout";

/** The arrangement of a dataset's columns, kept in this browser. */
export function useLayout(dataset: string): [Layout, (change: Partial<Layout>) => void] {
  const [layout, setLayout] = useState(() => readLayout(dataset));
  const change = useCallback(
    (part: Partial<Layout>) =>
      setLayout((before) => {
        const after = { ...before, ...part };
        keepLayout(dataset, after);
        return after;
      }),
    [dataset],
  );
  return [layout, change];
}
