import { type RefObject, useEffect, useMemo } from "react";
import type { Dataset } from "../api/client";
import type { RowQuery } from "../api/queries";
import { formatsOf, type NumberFormat } from "../text/numbers";
import { number } from "../text/words";
import { layOut, type Track, visibleColumns } from "./columns";
import { isRow, type PageCache } from "./PageCache";
import { type Geometry, HEADER_HEIGHT, visibleRows } from "./rowScroll";
import { usePages } from "./usePages";
import { useRowScroll } from "./useRowScroll";
import { useSize } from "./useSize";

type Range = { first: number; end: number };

export type GridView = {
  geometry: Geometry;
  size: { width: number; height: number; scrollbar: number };
  top: number;
  setTop: (top: number) => void;
  onScroll: () => void;
  pages: PageCache;
  rows: Range;
  columns: Range;
  tracks: Track[];
  formats: (NumberFormat | undefined)[];
  gutter: number;
  hasLines: boolean;
  /** The element has a size and the first page has come, so widths are final. */
  isReady: boolean;
};

const SAMPLE_ROWS = 60;
/** Below this width the values need the room; the inspector names the line, too. */
export const ROOM_FOR_LINES = 480;

/** What part of a dataset a scrolling element shows, and the pages for it. */
export function useGridView(scroller: RefObject<HTMLElement | null>, dataset: Dataset, query: RowQuery): GridView {
  const size = useSize(scroller);
  const { pages, count, changes } = usePages(dataset, query);
  const geometry = { rowCount: count, bodyHeight: Math.max(0, size.height - HEADER_HEIGHT) };
  const { top, left, setTop, onScroll } = useRowScroll(scroller, geometry);
  const rows = visibleRows(geometry, top);
  const firstRow = pages.row(0);
  const hasFirst = isRow(firstRow);
  const hasLines = hasFirst && firstRow.line !== null && size.width >= ROOM_FOR_LINES;
  const gutter = gutterWidth(dataset.rows, hasLines);
  const sample = useMemo(() => {
    const rows = Array.from({ length: hasFirst ? Math.min(SAMPLE_ROWS, count) : 0 }, (_, i) => pages.row(i));
    return rows.filter(isRow).map(({ values }) => values);
  }, [count, pages, hasFirst]);
  const formats = useMemo(() => formatsOf(dataset.columns, sample), [dataset, sample]);
  const tracks = useMemo(() => layOut(dataset.columns, sample, formats, gutter), [dataset, sample, formats, gutter]);

  // Widths wait for the first page, wherever the view starts; it is kept by asking for it first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that came or failed may make room for the next
  useEffect(() => {
    if (geometry.bodyHeight === 0) return;
    pages.want(hasFirst ? [rows] : [{ first: 0, end: 1 }, rows]);
  }, [pages, hasFirst, rows.first, rows.end, geometry.bodyHeight, changes]);

  return {
    geometry,
    size,
    top,
    setTop,
    onScroll,
    pages,
    rows,
    columns: visibleColumns(tracks, left, left + size.width),
    tracks,
    formats,
    gutter,
    hasLines,
    isReady: size.height > 0 && hasFirst,
  };
}

/** Room for the numbers of rows, and of lines beside them. */
export function gutterWidth(rows: number, hasLines: boolean): number {
  const digits = number(rows).length;
  return Math.max(52, digits * 8 + 24) + (hasLines ? Math.max(38, digits * 8 + 14) : 0);
}
