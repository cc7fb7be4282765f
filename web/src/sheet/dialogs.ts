import type { ChangeName } from "./columnChanges";

/** What is open over the sheet. */
export type Dialog =
  | { kind: "filter"; at: number; column: string }
  | { kind: "facet"; at: number; column: string }
  | { kind: "cluster"; column: string }
  | { kind: "check"; column: string }
  | { kind: "range"; column: string }
  | { kind: "change"; change: ChangeName; column: string }
  | { kind: "add"; after: string }
  | { kind: "rename"; column: string }
  | { kind: "insert"; after: string | null }
  | { kind: "apply" | "discard" };

/** What the sheet does first: the selected cell is opened for typing, or a dialog. */
export type SheetStart = "typing" | Dialog;

export type OpenMenu = { kind: "row" | "column"; column: number; anchor: DOMRect };
