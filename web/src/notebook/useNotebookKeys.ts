import { useEffect, useRef } from "react";
import type { Edits, Notebook } from "../api/notebooks";
import { chordFor, commandIn, isTypable } from "../state/keymap";
import { say } from "../state/toast";
import { focusCell } from "./focusCell";

/**
 * Keys that concern the notebook as a whole: run what is stale, stop, go from one stale cell to the next, and, while
 * nothing on the page has the focus, go to a cell or add one.
 */
export function useNotebookKeys(
  notebook: Notebook,
  edits: Edits,
  focused: string | undefined,
  chooseKind: (position: number) => void,
): void {
  const latest = useRef({ notebook, edits, focused, chooseKind });
  latest.current = { notebook, edits, focused, chooseKind };
  useEffect(() => {
    let bracket = "";
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const { notebook: now, edits: ask, focused: last } = latest.current;
      const key = event.key.toLowerCase();
      const before = bracket;
      bracket = key === "]" || key === "[" ? key : "";
      const command = commandIn(event, ["runStale", "interrupt"]);
      if (command !== undefined && isWriting(event.target) && isTypable(chordFor(command))) return;
      if (command === "runStale") ask.run.mutate({ what: "stale", again: false });
      else if (command === "interrupt") ask.cancel.mutate(undefined);
      else if (key === "s" && before !== "" && !isWriting(event.target)) goToStale(now, before === "]" ? 1 : -1);
      else if (event.target === document.body) {
        const step = commandIn(event, ["goDown", "goUp", "chooseKind"]);
        if (step === "chooseKind") latest.current.chooseKind(placeAfter(now, last));
        else if (step === undefined || !goFrom(now, last, step === "goDown" ? 1 : -1)) return;
      } else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** Below the cell that had the focus last; at the end on a page that was only just opened. */
function placeAfter({ cells }: Notebook, last: string | undefined): number {
  const here = cells.findIndex((cell) => cell.id === last);
  return here >= 0 ? here + 1 : cells.length;
}

/** From the cell that had the focus last; on a page that was only just opened, to the first or the last cell. */
function goFrom({ cells }: Notebook, last: string | undefined, step: 1 | -1): boolean {
  const here = cells.findIndex((cell) => cell.id === last);
  return focusCell((here >= 0 ? cells[here + step] : cells.at(step === 1 ? 0 : -1))?.id);
}

function goToStale({ cells }: Notebook, step: 1 | -1): void {
  const here = cells.findIndex(
    (cell) => cell.id === document.activeElement?.closest<HTMLElement>("[data-cell]")?.dataset.cell,
  );
  const order = step === 1 ? cells.slice(here + 1) : cells.slice(0, Math.max(0, here)).reverse();
  const found = order.find((cell) => cell.status === "stale");
  if (found) focusCell(found.id);
  else say({ text: `No stale cell ${step === 1 ? "below" : "above"}.` });
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [data-editor]");
}
