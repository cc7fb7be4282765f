import { useEffect } from "react";
import type { InspectedCell } from "../inspector/InspectedCell";
import type { SheetColumn } from "./api";
import type { CellLook } from "./cellLook";
import type { SheetRow } from "./SheetRow";
import type { SheetSession } from "./SheetSession";

type Here = { row: SheetRow; column: SheetColumn; look: CellLook };

/** Tells the inspector which cell of a sheet is selected, and again whenever the sheet shows something else there. */
export function useInspected(
  session: SheetSession,
  dataset: string,
  selected: { here: Here | undefined } | undefined,
  onInspected: (cell: InspectedCell | undefined) => void,
): void {
  const cell = selected?.here && inspectedCell(session, dataset, selected.here);
  const isOnItsWay = selected !== undefined && cell === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when it says something else than before
  useEffect(() => {
    if (!isOnItsWay) onInspected(cell);
  }, [JSON.stringify(cell), isOnItsWay]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the sheet is left
  useEffect(() => () => onInspected(undefined), []);
}

function inspectedCell(session: SheetSession, dataset: string, { row, column, look }: Here): InspectedCell {
  const isRefused = session.typed(row, column.name)?.problem !== undefined;
  return {
    column: column.name,
    type: column.type,
    position: row.position,
    data: row.rid === null || column.base === null ? undefined : { row: row.rid, column: column.base },
    edit: {
      dataset,
      version: session.sheet.version,
      sheet: session.id,
      row: row.key,
      column,
      look,
      isRowDoubtful: row.isDoubtful,
      operations: session.sheet.operations,
      revision: session.revision,
      onGiveUp: isRefused ? () => session.giveUp(row, column.name) : undefined,
    },
  };
}
