import { useEffect, useRef } from "react";
import { commandOf, type GridCommand } from "./gridKeys";
import type { SheetSession } from "./SheetSession";
import type { Selection } from "./selection";

const EVERYWHERE: GridCommand["do"][] = ["doubt", "undo", "redo", "goTo", "find", "replace", "history", "apply"];
const WHILE_TYPING: GridCommand["do"][] = ["doubt", "apply"];

/** Keys of the sheet that work wherever the focus is; in a field only those that the field has no use for. */
export function useSheetKeys(
  session: SheetSession,
  selection: Selection | undefined,
  onCommand: (c: GridCommand) => void,
) {
  const latest = useRef({ onCommand, selection, session });
  latest.current = { onCommand, selection, session };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (document.querySelector("dialog[open]") !== null) return;
      const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
      const { onCommand: run, selection: now, session: open } = latest.current;
      const command = commandOf(event, now, { rows: open.count, columns: open.columns.length, pageRows: 1 });
      if (command === undefined || !EVERYWHERE.includes(command.do)) return;
      if (isTyping && !WHILE_TYPING.includes(command.do)) return;
      event.preventDefault();
      run(command);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
