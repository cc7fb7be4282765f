import type { EditorCommand } from "../editor/keys";

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
  | "cut"
  | "copy"
  | "paste"
  | "undo"
  | "toMarkdown"
  | "toSql"
  | "toPython"
  | "freeze";

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

const PLAIN: Record<string, CellCommand> = {
  Enter: "edit",
  ArrowUp: "goUp",
  ArrowDown: "goDown",
  k: "goUp",
  j: "goDown",
  a: "insertAbove",
  b: "insertBelow",
  x: "cut",
  c: "copy",
  v: "paste",
  z: "undo",
  m: "toMarkdown",
  y: "toSql",
  p: "toPython",
  f: "freeze",
};

/** The command of a key while a cell itself has the focus, not its text. */
export function commandFor({ key, ctrlKey, metaKey, altKey, shiftKey }: Key): CellCommand | undefined {
  if (key === "Enter" && (ctrlKey || metaKey)) return "run";
  if (key === "Enter" && shiftKey) return "runAndGoOn";
  if (key === "Enter" && altKey) return "runAndInsert";
  if (altKey && key === "ArrowUp") return "moveUp";
  if (altKey && key === "ArrowDown") return "moveDown";
  if (ctrlKey || metaKey || altKey || shiftKey) return undefined;
  return PLAIN[key];
}
