import { type Cursor, move } from "../grid/moves";
import { chordFor, commandIn, isTypable } from "../state/keymap";
import { beginsTyping } from "./Editing";
import type { Selection } from "./selection";

export type GridCommand =
  | { do: "select"; selection: Selection }
  | { do: "edit"; isQuick: boolean }
  | {
      do:
        | "clear"
        | "fill"
        | "undo"
        | "redo"
        | "find"
        | "replace"
        | "goTo"
        | "history"
        | "columnMenu"
        | "leave"
        | "apply"
        | "precedents";
    }
  | { do: "doubt"; direction: "next" | "previous" };

/** What somebody may give other keys to; the rest is as in every spreadsheet. */
const REBINDABLE = [
  "nextDoubt",
  "previousDoubt",
  "goTo",
  "fill",
  "find",
  "replace",
  "columnMenu",
  "apply",
  "history",
  "precedents",
] as const;

type Key = { key: string; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean; altKey: boolean };
type Extent = { rows: number; columns: number; pageRows: number };

/** What a key means in the grid; undefined if it is none of ours. */
export function commandOf(event: Key, selection: Selection | undefined, extent: Extent): GridCommand | undefined {
  const meant = commandIn(event, REBINDABLE);
  // A key that writes begins an edit, whatever it is bound to elsewhere.
  const command = meant !== undefined && isTypable(chordFor(meant)) ? undefined : meant;
  if (command === "nextDoubt" || command === "previousDoubt")
    return { do: "doubt", direction: command === "nextDoubt" ? "next" : "previous" };
  if (command !== undefined) return { do: command };
  const isMod = (event.ctrlKey || event.metaKey) && !event.altKey;
  if (isMod && !event.key.startsWith("Arrow") && event.key !== "Home" && event.key !== "End")
    return withMod(event, extent);
  if (event.altKey && !event.ctrlKey) return undefined;
  if (event.key === "Escape") return selection && { do: "leave" };
  const target = sideways(event, selection, extent) ?? move(selection?.cursor, event, extent);
  if (target) return { do: "select", selection: reaching(target, selection, event.shiftKey && event.key !== "Tab") };
  if (selection === undefined) return undefined;
  if (event.key === "Enter" || event.key === "F2") return { do: "edit", isQuick: false };
  if (event.key === "Delete" || event.key === "Backspace") return { do: "clear" };
  return beginsTyping(event) ? { do: "edit", isQuick: true } : undefined;
}

function withMod(event: Key, extent: Extent): GridCommand | undefined {
  switch (event.key.toLowerCase()) {
    case "z":
      return { do: event.shiftKey ? "redo" : "undo" };
    case "y":
      return { do: "redo" };
    case "a":
      return extent.rows === 0 || extent.columns === 0
        ? undefined
        : {
            do: "select",
            selection: {
              anchor: { row: extent.rows - 1, column: extent.columns - 1 },
              cursor: { row: 0, column: 0 },
            },
          };
    default:
      return undefined;
  }
}

/** Tab goes through the cells of a row; without a selection, or past its ends, it leaves the grid as usual. */
function sideways({ key, shiftKey }: Key, selection: Selection | undefined, extent: Extent): Cursor | undefined {
  if (key !== "Tab" || selection === undefined) return undefined;
  const column = selection.cursor.column + (shiftKey ? -1 : 1);
  return column < 0 || column >= extent.columns ? undefined : { row: selection.cursor.row, column };
}

function reaching(cursor: Cursor, selection: Selection | undefined, extend: boolean): Selection {
  return { anchor: extend && selection ? selection.anchor : cursor, cursor };
}
