import { show } from "../text/value";
import type { SheetColumn } from "./api";
import { misfit } from "./fits";
import type { SheetRow } from "./SheetRow";
import type { SheetSession } from "./SheetSession";

/** How a cell looks: what it shows, what stands in its formula bar, and what is wrong with it. */
export type CellLook = {
  text: string;
  kind: "null" | "empty" | "text" | "number" | "other" | "error";
  /** What is edited when the cell is. */
  source: string;
  /** Typed, and not yet known to the server. */
  isPending: boolean;
  isEdited: boolean;
  isDoubtful: boolean;
  problem: string | undefined;
};

export function lookOf(session: SheetSession, row: SheetRow, column: SheetColumn, position: number): CellLook {
  const typed = session.typed(row, column.name);
  if (typed !== undefined) {
    const isRefused = typed.problem !== undefined;
    return {
      ...(typed.text === "" ? show(null) : show(typed.text)),
      source: typed.text,
      isPending: !isRefused,
      isEdited: true,
      isDoubtful: false,
      problem: typed.problem ?? misfit(typed.text, column.base_type),
    };
  }
  const value = row.values[position];
  const isEdited = row.edited.includes(position);
  const error = row.errors.get(position);
  const formula = row.formulas.get(position);
  const shown = error === undefined ? show(value) : { text: error.split(" ", 1)[0] ?? error, kind: "error" as const };
  return {
    ...shown,
    source: formula ?? sourceOf(value),
    isPending: false,
    isEdited,
    isDoubtful: row.marks.includes(position),
    problem: error ?? (isEdited && formula === undefined ? misfit(sourceOf(value), column.base_type) : undefined),
  };
}

/** Why a cell is in doubt although nothing in the data below it is; nothing if the data says it. */
export function ownDoubt(look: CellLook, column: SheetColumn, isDataDoubtful: boolean): string | undefined {
  if (!look.isDoubtful || look.kind === "error") return undefined;
  if (look.source.startsWith("=")) return "A cell that the formula refers to is doubtful.";
  if (look.isEdited) return "A condition that decided on this edit read doubtful cells.";
  if (isDataDoubtful || column.base_type === null || column.base_type === column.type) return undefined;
  return `The column holds ${column.base_type}, and is shown as ${column.type} because of what was entered in it.`;
}

/** A value as it would be typed. */
export function sourceOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
