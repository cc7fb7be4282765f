import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { fetchSummary } from "./api";
import type { SheetSession } from "./SheetSession";
import { type Box, cellsIn } from "./selection";

/** What the selected cells come to, from the server: a selection may be larger than what was ever read here. */
export function useSummary(session: SheetSession, box: Box | undefined) {
  const columns = box ? session.columns.slice(box.left, box.right + 1).map((column) => column.name) : [];
  const area = { start: box?.top ?? 0, stop: (box?.bottom ?? 0) + 1, columns, where: session.where };
  return useQuery({
    queryKey: ["sheet summary", session.id, session.revision, area],
    enabled: box !== undefined && cellsIn(box) > 1 && session.unsent === 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      // A selection that is still being drawn asks once, when it rests.
      await new Promise((resolve) => setTimeout(resolve, 120));
      signal.throwIfAborted();
      return fetchSummary(session.id, area, signal);
    },
  });
}
