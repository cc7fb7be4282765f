import { useQuery } from "@tanstack/react-query";
import { fetchProfile, type Sheet, type SheetColumn } from "./api";

let turn: Promise<unknown> = Promise.resolve();

/** One after the other: a browser has few connections to a server, and pages must not wait for profiles. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = turn.then(work, work);
  turn = mine.catch(() => undefined);
  return mine;
}

/** What the data of a column of a sheet holds. */
export function useProfile(sheet: Sheet, column: SheetColumn) {
  return useColumnProfile(sheet.dataset, sheet.version, column.base);
}

/** What a column of a dataset holds, if both are known; a dataset version never changes, so neither does the answer. */
export function useColumnProfile(dataset: string | undefined, version: number | undefined, column: string | null) {
  return useQuery({
    queryKey: ["profile", dataset, version, column],
    enabled: dataset !== undefined && version !== undefined && column !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => inTurn(() => fetchProfile(dataset ?? "", version ?? 1, column ?? "", signal)),
  });
}
