import { useQuery } from "@tanstack/react-query";
import { fetchProfile, type Sheet, type SheetColumn } from "./api";

let turn: Promise<unknown> = Promise.resolve();

/** One after the other: a browser has few connections to a server, and pages must not wait for profiles. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = turn.then(work, work);
  turn = mine.catch(() => undefined);
  return mine;
}

/** What the data of a column holds; a dataset version never changes, so neither does the answer. */
export function useProfile(sheet: Sheet, column: SheetColumn) {
  return useQuery({
    queryKey: ["profile", sheet.dataset, sheet.version, column.base],
    enabled: column.base !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => inTurn(() => fetchProfile(sheet.dataset, sheet.version, column.base ?? "", signal)),
  });
}
