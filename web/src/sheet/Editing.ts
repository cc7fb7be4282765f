import type { Cursor } from "../grid/moves";

/** A cell that is being typed into. */
export type Editing = Cursor & {
  text: string;
  /** Begun by typing: arrow keys then finish it, as in every spreadsheet. */
  isQuick: boolean;
  /** In the cell, or in the formula bar above. */
  at: "cell" | "bar";
};

/** Where the selection goes when an edit is finished. */
export type Step = "down" | "up" | "right" | "left" | "stay";

/** Which key finishes an edit, and where it leads; "cancel" gives it up. */
export function finishing(
  event: { key: string; shiftKey: boolean; ctrlKey: boolean; altKey: boolean; metaKey: boolean },
  isQuick: boolean,
): Step | "cancel" | undefined {
  if (event.ctrlKey || event.altKey || event.metaKey) return undefined;
  switch (event.key) {
    case "Enter":
      return event.shiftKey ? "up" : "down";
    case "Tab":
      return event.shiftKey ? "left" : "right";
    case "Escape":
      return "cancel";
    case "ArrowDown":
      return isQuick ? "down" : undefined;
    case "ArrowUp":
      return isQuick ? "up" : undefined;
    case "ArrowLeft":
      return isQuick ? "left" : undefined;
    case "ArrowRight":
      return isQuick ? "right" : undefined;
    default:
      return undefined;
  }
}

/** Whether a key press begins to type: a character, or the first key of an input method. */
export function beginsTyping(event: { key: string; ctrlKey: boolean; altKey: boolean; metaKey: boolean }): boolean {
  if (event.key === "Process" || event.key === "Dead" || event.key === "Unidentified") return true;
  // AltGr writes characters, and looks like Ctrl and Alt together.
  const isCommand = event.metaKey || event.ctrlKey !== event.altKey;
  return !isCommand && [...event.key].length === 1;
}
