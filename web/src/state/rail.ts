import { useSyncExternalStore } from "react";
import { isNarrow, useNarrow } from "./narrow";

type Stored = { isHidden: boolean; folded: string[] };
/** In a narrow window the rail is a drawer, which is closed until somebody opens it. */
type State = Stored & { isDrawerOpen: boolean };

const KEY = "whence.rail";
const listeners = new Set<() => void>();
let known: State | undefined;

/** What is stored, as far as it makes sense. */
export function readRail(text: string | null): Stored {
  try {
    const given = JSON.parse(text ?? "{}") as Partial<Stored> | null;
    const folded = Array.isArray(given?.folded) ? given.folded.filter((each) => typeof each === "string") : [];
    return { isHidden: given?.isHidden === true, folded };
  } catch {
    return { isHidden: false, folded: [] };
  }
}

function state(): State {
  known ??= { ...readRail(window.localStorage.getItem(KEY)), isDrawerOpen: false };
  return known;
}

function change(part: Partial<State>): void {
  known = { ...state(), ...part };
  const { isHidden, folded } = known;
  window.localStorage.setItem(KEY, JSON.stringify({ isHidden, folded }));
  for (const listener of listeners) listener();
}

export function toggleRail(): void {
  const { isHidden, isDrawerOpen } = state();
  change(isNarrow() ? { isDrawerOpen: !isDrawerOpen } : { isHidden: !isHidden });
}

export function closeDrawer(): void {
  if (state().isDrawerOpen) change({ isDrawerOpen: false });
}

export function foldNotebook(name: string, isFolded: boolean): void {
  const others = state().folded.filter((each) => each !== name);
  change({ folded: isFolded ? [...others, name] : others });
}

type Rail = { isShown: boolean; isDrawer: boolean; folded: string[] };

/** Whether the rail is shown, beside the page or as a drawer over it, and whose datasets are folded in it. */
export function useRail(): Rail {
  const isDrawer = useNarrow();
  const { isHidden, isDrawerOpen, folded } = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, state);
  return { isShown: isDrawer ? isDrawerOpen : !isHidden, isDrawer, folded };
}
