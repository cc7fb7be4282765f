import { useEffect, useState } from "react";
import type { Cursor } from "./moves";
import { isRow, type PageCache } from "./PageCache";

type Rows = {
  pages: PageCache /** Nothing is left out or sorted: a row stands at the place its id says. */;
  isWhole: boolean;
};
type Selection = {
  /** Where the selected cell stands in the view; undefined if no page in reach has it. */
  cursor: Cursor | undefined;
  /** Select the cell at a place of the view. */
  select: (place: Cursor, onSelect?: (cell: Cursor) => void) => void;
};

/** The selection of a view: known by the id of its row, shown at the place where the row stands now. */
export function useSelectedRow(
  { pages, isWhole }: Rows,
  selected: Cursor | undefined,
  onMove: (cell: Cursor) => void,
): Selection {
  // A place whose page is on its way: its row is known once it has come.
  const [awaited, setAwaited] = useState<Cursor>();
  const idAt = (place: number) => {
    const row = pages.row(place);
    return isWhole ? place : isRow(row) ? row.rid : undefined;
  };
  const placeOf = (rid: number) => (isWhole ? rid : pages.find((row) => row.rid === rid));

  const arrived = awaited && idAt(awaited.row);
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, when the row has come
  useEffect(() => {
    if (awaited === undefined || arrived === undefined) return;
    setAwaited(undefined);
    onMove({ row: arrived, column: awaited.column });
  }, [arrived]);

  const select: Selection["select"] = (place, onSelect = onMove) => {
    const rid = idAt(place.row);
    setAwaited(rid === undefined ? place : undefined);
    if (rid !== undefined) onSelect({ row: rid, column: place.column });
  };
  const place = selected && placeOf(selected.row);
  const cursor = selected && place !== undefined ? { row: place, column: selected.column } : undefined;
  return { cursor: awaited ?? cursor, select };
}
