import { useQueryClient } from "@tanstack/react-query";
import { type PointerEvent, useRef, useState } from "react";
import { boundsKey, fetchBounds, useWidths } from "../api/bounds";
import type { Dataset } from "../api/client";
import { boundsWords, STATED } from "../inspector/boundsWords";

/** What the pointer rests on, by the place of its row on the screen. */
export type BoundsTip = { row: number; column: number; text: string };

/** A cell of the data, by its row and the name of its column. */
type DataCell = { row: number; column: string };

/**
 * Tells, when the pointer comes to a doubtful cell, between which values it lies; where that is known already.
 * `cellOf` gives the cell of the data that stands at a place on the screen, unless another value stands there.
 */
export function useBoundsTip(
  dataset: Pick<Dataset, "name" | "version">,
  isDoubtful: boolean,
  cellOf: (row: number, column: number) => DataCell | undefined,
) {
  const queries = useQueryClient();
  const isKnown = useWidths(dataset, isDoubtful).data?.is_known ?? false;
  const [tip, setTip] = useState<BoundsTip>();
  const place = useRef("");
  const onPointerOver = (event: PointerEvent) => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>("[data-doubtful]");
    const row = Number(cell?.closest<HTMLElement>("[data-row]")?.dataset.row);
    const column = Number(cell?.dataset.column);
    const here = cell && isKnown ? `${row} ${column}` : "";
    if (here === place.current) return;
    place.current = here;
    const at = here === "" ? undefined : cellOf(row, column);
    if (at === undefined) return;
    const found = queries.fetchQuery({
      queryKey: boundsKey(dataset, at.row, at.column),
      retry: false,
      queryFn: () => fetchBounds(dataset, at.row, at.column),
    });
    found.then(
      (bounds) => place.current === here && setTip({ row, column, text: `${boundsWords(bounds)}, ${STATED}` }),
      () => undefined, // the inspector shows what went wrong
    );
  };
  return { tip, onPointerOver };
}
