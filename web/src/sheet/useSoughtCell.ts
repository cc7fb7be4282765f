import { useState } from "react";
import type { Place } from "../state/place";
import type { Sheet } from "./api";
import type { SheetSession } from "./SheetSession";
import { type Selection, single } from "./selection";
import { useSoughtRow } from "./useSoughtRow";

/** What is selected: at first the cell that the address names, wherever the edits of the sheet have moved its row. */
export function useSoughtCell(session: SheetSession, sheet: Sheet, place: Place) {
  const [chosen, setChosen] = useState<Selection | undefined>(() => startAt(place, sheet));
  useSoughtRow(session, place, (row, name) => {
    const column = sheet.columns.indexOf(name);
    if (column >= 0) setChosen((already) => already ?? single({ row, column }));
  });
  return [chosen, setChosen] as const;
}

function startAt(place: Place, sheet: Sheet): Selection | undefined {
  const column = sheet.columns.indexOf(place.column ?? "");
  return place.filter !== undefined || place.row === undefined || column < 0
    ? undefined
    : single({ row: place.row, column });
}
