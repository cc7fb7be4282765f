import { useSyncExternalStore } from "react";

let names: string[] = [];
const listeners = new Set<() => void>();

/** Something happens in this notebook. */
export function markActive(notebook: string): void {
  if (names.includes(notebook)) return;
  names = [...names, notebook];
  for (const listener of listeners) listener();
}

/** This notebook is gone, or has another name: nothing of it can be read any more. */
export function forgetActive(notebook: string): void {
  if (!names.includes(notebook)) return;
  names = names.filter((each) => each !== notebook);
  for (const listener of listeners) listener();
}

/** The notebooks in which something has happened since the page was opened. */
export function useActive(): string[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => names,
  );
}
