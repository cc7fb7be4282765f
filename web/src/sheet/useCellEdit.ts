import { useState } from "react";
import { isRow } from "../grid/PageCache";
import { lookOf } from "./cellLook";
import type { Editing, Step } from "./Editing";
import type { SheetRow } from "./SheetRow";
import type { SheetSession } from "./SheetSession";
import { type Selection, single, within } from "./selection";

const STEPS: Record<Step, [number, number]> = { down: [1, 0], up: [-1, 0], right: [0, 1], left: [0, -1], stay: [0, 0] };

type Told = {
  onMove: (selection: Selection | undefined) => void;
  /** Out of the field, back to the grid. */
  onLeave: () => void;
  onEdited: (row: SheetRow, column: string) => void;
};

/** Typing into the selected cell, in place or in the bar above. */
export function useCellEdit(session: SheetSession, selection: Selection | undefined, told: Told) {
  const [editing, setEditing] = useState<Editing>();

  const begin = (at: Editing["at"], isQuick: boolean) => {
    if (selection === undefined) return;
    const { row, column } = selection.cursor;
    const [found, into] = [session.pages.row(row), session.columns[column]];
    if (!isRow(found) || into === undefined) return;
    setEditing({ row, column, text: isQuick ? "" : lookOf(session, found, into, column).source, isQuick, at });
  };

  const commit = ({ row, column, text }: Editing) => {
    const [found, into] = [session.pages.row(row), session.columns[column]];
    if (!isRow(found) || into === undefined || text === lookOf(session, found, into, column).source) return;
    session.edit([{ key: found.key, column: into.name, text }]);
    if (into.base !== null && !text.startsWith("=")) told.onEdited(found, into.name);
  };

  const finish = (step: Step | "cancel") => {
    setEditing(undefined);
    if (step !== "stay") told.onLeave();
    if (editing === undefined || step === "cancel") return;
    commit(editing);
    if (step === "stay") return;
    const [down, right] = STEPS[step];
    const next = { row: Math.max(0, editing.row + down), column: Math.max(0, editing.column + right) };
    told.onMove(within(single(next), session.count, session.columns.length));
  };

  return { editing, begin, finish, type: (text: string) => setEditing((now) => now && { ...now, text }) };
}
