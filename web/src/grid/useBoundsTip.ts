import { useQueryClient } from "@tanstack/react-query";
import { type PointerEvent, useRef, useState } from "react";
import { boundsKey, fetchBounds, useWidths } from "../api/bounds";
import type { Dataset } from "../api/client";
import { boundsWords, STATED } from "../inspector/boundsWords";

/** What the pointer rests on, by the place of its row on the screen. */
export type BoundsTip = { row: number; column: number; text: string };

/** Tells, when the pointer comes to a doubtful cell, between which values it lies; where that is known already. */
export function useBoundsTip(dataset: Dataset, ridOf: (row: number) => number | undefined) {
  const queries = useQueryClient();
  const isKnown = useWidths(dataset, dataset.doubt.columns.length > 0).data?.is_known ?? false;
  const [tip, setTip] = useState<BoundsTip>();
  const place = useRef("");
  const onPointerOver = (event: PointerEvent) => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>("[data-doubtful]");
    const row = Number(cell?.closest<HTMLElement>("[data-row]")?.dataset.row);
    const column = Number(cell?.dataset.column);
    const here = cell && isKnown ? `${row} ${column}` : "";
    if (here === place.current) return;
    place.current = here;
    const [rid, name] = [ridOf(row), dataset.columns[column]?.name];
    if (here === "" || rid === undefined || name === undefined) return;
    const key = boundsKey(dataset, rid, name);
    const found = queries.fetchQuery({ queryKey: key, retry: false, queryFn: () => fetchBounds(dataset, rid, name) });
    found.then(
      (bounds) => place.current === here && setTip({ row, column, text: `${boundsWords(bounds)}, ${STATED}` }),
      () => undefined, // the inspector shows what went wrong
    );
  };
  return { tip, onPointerOver };
}
