import type { Schemas } from "../api/client";

type Version = Pick<Schemas["VersionView"], "version" | "parent">;

/** Where stepping back has led: `head` is the version it made, `at` the earlier one that it shows again. */
export type Steps = { head: number; at: number; undone: number[] };

/** The version that one step back would show; undefined at the beginning. */
export function undoTarget(history: Version[], head: number, steps: Steps | undefined): number | undefined {
  const at = shownAt(head, steps);
  return history.find((each) => each.version === at)?.parent ?? undefined;
}

/** The version that one step forward would show; undefined if nothing was undone, or something was edited since. */
export function redoTarget(head: number, steps: Steps | undefined): number | undefined {
  return steps?.head === head ? steps.undone.at(-1) : undefined;
}

/** What to remember after a step back has made a new version. */
export function afterUndo(head: number, steps: Steps | undefined, target: number, made: number): Steps {
  const undone = steps?.head === head ? steps.undone : [];
  return { head: made, at: target, undone: [...undone, shownAt(head, steps)] };
}

/** The same after a step forward. */
export function afterRedo(steps: Steps, made: number): Steps {
  return { head: made, at: steps.undone.at(-1) ?? steps.at, undone: steps.undone.slice(0, -1) };
}

function shownAt(head: number, steps: Steps | undefined): number {
  return steps?.head === head ? steps.at : head;
}
