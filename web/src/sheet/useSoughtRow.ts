import { useEffect, useRef } from "react";
import type { Place } from "../state/place";
import type { SheetSession } from "./SheetSession";

/** Below filters a row is known by its id in the data: the place says nothing once they are gone. */
export function useSoughtRow(
  session: SheetSession,
  place: Place,
  onFound: (row: number, column: string) => void,
): void {
  // As the address said at first: what is not selected yet leaves it.
  const sought = useRef(place.filter === undefined ? undefined : place);
  const changes = session.pages.snapshot();
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked for whenever a page has come, until it is there
  useEffect(() => {
    const { row, column } = sought.current ?? {};
    const found = row === undefined || column === undefined ? undefined : session.pages.find(({ rid }) => rid === row);
    if (found === undefined || column === undefined) return;
    sought.current = undefined;
    onFound(found, column);
  }, [changes]);
}
