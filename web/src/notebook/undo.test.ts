import { expect, it } from "vitest";
import { afterRedo, afterUndo, redoTarget, type Steps, undoTarget } from "./undo";

const line = (length: number) =>
  Array.from({ length: length + 1 }, (_, v) => ({ version: v, parent: v === 0 ? null : v - 1 }));

/** Versions 1 to 3, then a number of steps back; every step makes a version of its own. */
function back(times: number) {
  const history = line(3);
  let steps: Steps | undefined;
  let head = 3;
  for (let i = 0; i < times; i++) {
    const target = undoTarget(history, head, steps);
    if (target === undefined) break;
    const made = history.length;
    history.push({ version: made, parent: head });
    steps = afterUndo(head, steps, target, made);
    head = made;
  }
  return { history, head, steps };
}

it("steps back through the versions, though each step makes a new one", () => {
  expect(back(1).steps?.at).toBe(2);
  expect(back(2).steps?.at).toBe(1);
  expect(back(9).steps?.at).toBe(0);
});

it("steps forward again in the same order", () => {
  const { head, steps } = back(2);
  expect(redoTarget(head, steps)).toBe(2);
  const once = afterRedo(steps as Steps, 6);
  expect([once.at, redoTarget(6, once)]).toEqual([2, 3]);
  expect(redoTarget(7, afterRedo(once, 7))).toBeUndefined();
});

it("forgets what was undone once somebody edits", () => {
  const { history, steps } = back(2);
  history.push({ version: 6, parent: 5 });
  expect(redoTarget(6, steps)).toBeUndefined();
  expect(undoTarget(history, 6, steps)).toBe(5);
});
