import { useRef } from "react";
import { type AppliedStep, applyAtHome } from "./applyAtHome";
import type { SheetSession } from "./SheetSession";

type Outcomes = {
  onApplied: (step: AppliedStep) => void;
  /** No notebook makes the data: somebody has to say where the edits belong. */
  onHomeless: () => void;
  onFailed: (sentence: string) => void;
};

/** Returns a function that saves the edits beside the cell that makes the data; a second click meanwhile does nothing. */
export function useApply(session: SheetSession, { onApplied, onHomeless, onFailed }: Outcomes): () => void {
  const isApplying = useRef(false);
  const apply = async () => {
    if (isApplying.current) return;
    isApplying.current = true;
    await session.settled();
    if (session.pending === 0) {
      isApplying.current = false;
      return onFailed("There are no edits to apply.");
    }
    const home = await applyAtHome(session.sheet).catch((error: Error) => error);
    isApplying.current = false;
    if (home instanceof Error) onFailed(home.message);
    else if (home === undefined) onHomeless();
    else onApplied(home);
  };
  return () => void apply();
}
