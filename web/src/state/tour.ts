import { useSyncExternalStore } from "react";

/** How far somebody has come in the tour, and whether its guide was closed. */
export type TourProgress = { done: string[]; isClosed: boolean };

const KEY = "whence.tour";
const listeners = new Set<() => void>();
let known: TourProgress | undefined;

/** What is stored, as far as it makes sense. */
export function readProgress(text: string | null): TourProgress {
  try {
    const stored = JSON.parse(text ?? "{}") as Partial<TourProgress> | null;
    const done = Array.isArray(stored?.done) ? stored.done.filter((each) => typeof each === "string") : [];
    return { done, isClosed: stored?.isClosed === true };
  } catch {
    return { done: [], isClosed: false };
  }
}

function progress(): TourProgress {
  known ??= readProgress(window.localStorage.getItem(KEY));
  return known;
}

function change(part: Partial<TourProgress>): void {
  known = { ...progress(), ...part };
  window.localStorage.setItem(KEY, JSON.stringify(known));
  for (const listener of listeners) listener();
}

export function finishStep(step: string): void {
  const { done } = progress();
  if (!done.includes(step)) change({ done: [...done, step] });
}

export function closeGuide(): void {
  change({ isClosed: true });
}

/** Shows the guide again; after the last step it begins anew. */
export function openGuide(steps: readonly string[]): void {
  const isOver = steps.every((step) => progress().done.includes(step));
  change({ isClosed: false, ...(isOver && { done: [] }) });
}

export function useTourProgress(): TourProgress {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, progress);
}
