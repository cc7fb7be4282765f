import type { EditorCommand } from "../editor/keys";
import { chordFor, chordOf, commandIn, isTypable } from "../state/keymap";

/** What a key may do to the cell that has the focus, and to those around it. */
export type CellCommand =
  | EditorCommand
  | "edit"
  | "goUp"
  | "goDown"
  | "moveUp"
  | "moveDown"
  | "insertAbove"
  | "insertBelow"
  | "chooseKind"
  | "cut"
  | "copy"
  | "paste"
  | "undo"
  | "toMarkdown"
  | "toSql"
  | "toPython"
  | "freeze";

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** What somebody may give other keys to; the rest is as in every list. */
const REBINDABLE = [
  "run",
  "runAndGoOn",
  "runAndInsert",
  "runUpstream",
  "goUp",
  "goDown",
  "moveUp",
  "moveDown",
  "insertAbove",
  "insertBelow",
  "chooseKind",
  "cut",
  "copy",
  "paste",
  "undo",
  "toMarkdown",
  "toSql",
  "toPython",
  "freeze",
] as const;
const FIXED: Record<string, CellCommand> = { Enter: "edit", ArrowUp: "goUp", ArrowDown: "goDown" };

/** The command of a key while a cell itself has the focus, not its text. */
export function commandFor(event: Key): CellCommand | undefined {
  return commandIn(event, REBINDABLE) ?? FIXED[chordOf(event) ?? ""];
}

/** The command of a key while something is written; a key that writes is never one. */
export function commandWhileWriting(event: Key): EditorCommand | undefined {
  const command = commandIn(event, ["run", "runAndGoOn", "runAndInsert", "runUpstream", "interrupt"]);
  return command === undefined || isTypable(chordFor(command)) ? undefined : command;
}
