import { type RefObject, useEffect, useMemo, useRef } from "react";
import { type Track, visibleColumns } from "../grid/columns";
import { isRow } from "../grid/PageCache";
import { type Geometry, visibleRows } from "../grid/rowScroll";
import { useRowScroll } from "../grid/useRowScroll";
import { useSize } from "../grid/useSize";
import { number } from "../text/words";
import { frozenIn, type Layout, tracksOf } from "./layout";
import type { SheetRow } from "./SheetRow";
import type { SheetSession } from "./SheetSession";

export const HEADER = 78;
const SAMPLE_ROWS = 60;

type Range = { first: number; end: number };

export type SheetView = {
  geometry: Geometry;
  size: { width: number; height: number };
  top: number;
  setTop: (top: number) => void;
  onScroll: () => void;
  rows: Range;
  columns: Range;
  tracks: Track[];
  gutter: number;
  frozen: { count: number; end: number };
  isReady: boolean;
};

/** What part of a sheet a scrolling element shows; asks for the pages it needs. */
export function useSheetView(
  scroller: RefObject<HTMLElement | null>,
  session: SheetSession,
  layout: Layout,
): SheetView {
  const size = useSize(scroller);
  const geometry = { rowCount: session.count, bodyHeight: Math.max(0, size.height - HEADER) };
  const { top, left, setTop, onScroll } = useRowScroll(scroller, geometry);
  const rows = visibleRows(geometry, top);
  const { pages, columns: known } = session;
  const hasColumns = known.length > 0;
  const gutter = Math.max(56, number(session.sheet.count).length * 8 + 34);
  const hasFirst = isRow(pages.row(rows.first));
  const names = known.map((column) => column.name).join("\n");
  const sample = useRef<{ names: string; rows: SheetRow[] }>({ names: "", rows: [] });
  // Widths follow the first rows that were seen of these columns, and stay when others come into view.
  if (hasFirst && sample.current.names !== names) {
    const seen = Array.from({ length: SAMPLE_ROWS }, (_, i) => pages.row(rows.first + i));
    sample.current = { names, rows: seen.filter(isRow) };
  }
  const measured = sample.current;
  const tracks = useMemo(() => tracksOf(known, measured.rows, gutter, layout), [known, measured, gutter, layout]);
  const frozen = useMemo(
    () => frozenIn(tracks, layout.frozen, gutter, size.width),
    [tracks, layout.frozen, gutter, size.width],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: what came or changed may make it necessary to ask again
  useEffect(() => {
    if (geometry.bodyHeight === 0) return;
    pages.want([{ first: rows.first, end: Math.max(rows.end, rows.first + 1) }]);
  }, [pages, rows.first, rows.end, geometry.bodyHeight, pages.snapshot()]);

  return {
    geometry,
    size,
    top,
    setTop,
    onScroll,
    rows,
    columns: visibleColumns(tracks, left + frozen.end, left + size.width),
    tracks,
    gutter,
    frozen,
    isReady: size.height > 0 && hasColumns && hasFirst,
  };
}
