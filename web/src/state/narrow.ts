import { useSyncExternalStore } from "react";

/** The styles of the shell change at the same width. */
const narrow = () => window.matchMedia("(width < 760px)");

function watch(watcher: () => void): () => void {
  const media = narrow();
  media.addEventListener("change", watcher);
  return () => media.removeEventListener("change", watcher);
}

/** Whether the window has room for one thing beside nothing else, as on a phone. */
export function isNarrow(): boolean {
  return narrow().matches;
}

export function useNarrow(): boolean {
  return useSyncExternalStore(watch, isNarrow);
}
