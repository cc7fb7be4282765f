import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { Dataset } from "../api/client";
import { fetchPage } from "../api/queries";
import { PageCache, toRows } from "./PageCache";

/** The page cache of a dataset version; the component draws again when a page arrives. */
export function usePages(dataset: Dataset): { pages: PageCache; changes: number } {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a version never changes, however often the list is read
  const pages = useMemo(
    () => new PageCache(async (offset, limit, signal) => toRows(await fetchPage(dataset, offset, limit, signal))),
    [dataset.name, dataset.version],
  );
  useEffect(() => () => pages.dispose(), [pages]);
  const changes = useSyncExternalStore(pages.subscribe, pages.snapshot);
  return { pages, changes };
}
