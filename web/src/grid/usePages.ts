import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { Dataset } from "../api/client";
import { fetchPage, type RowQuery } from "../api/queries";
import { PageCache, toRows } from "./PageCache";

type Pages = {
  pages: PageCache;
  /** How many rows there are; with a filter none until the first page has come. */
  count: number;
  changes: number;
};

/** The page cache of a dataset version, or of a sorted and filtered view of it; the component draws again when a page arrives. */
export function usePages(dataset: Dataset, { sort, filter }: RowQuery): Pages {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a version never changes, however often the list is read
  const source = useMemo(() => {
    const known = { count: filter === undefined ? dataset.rows : 0 };
    const rows = { ...(sort !== undefined && { sort }), ...(filter !== undefined && { filter }) };
    const pages = new PageCache(async (offset, limit, signal) => {
      const page = await fetchPage(dataset, { offset, limit }, rows, signal);
      known.count = page.count;
      return toRows(page);
    });
    return { pages, known };
  }, [dataset.name, dataset.version, sort, filter]);
  const { pages, known } = source;
  useEffect(() => () => pages.dispose(), [pages]);
  const changes = useSyncExternalStore(pages.subscribe, pages.snapshot);
  return { pages, count: known.count, changes };
}
