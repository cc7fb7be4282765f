import { useEffect, useState } from "react";
import { conditionOf, type Filter, readFilters } from "./filters";
import type { SheetSession } from "./SheetSession";

/** The filters of the view; they begin as the address says, and the session looks only at what they let through. */
export function useFilters(session: SheetSession, given: string | undefined) {
  const [filters, setFilters] = useState<Filter[]>(() => readFilters(given ?? null));
  const names = session.columns.length > 0 ? session.columns.map((column) => column.name) : session.sheet.columns;
  const where = conditionOf(filters, names);
  useEffect(() => session.look(where), [session, where]);
  return { filters, setFilters, where };
}
