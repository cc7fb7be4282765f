import { type RefObject, useEffect, useMemo, useRef } from "react";
import { type Track, visibleColumns } from "../grid/columns";
import { isRow } from "../grid/PageCache";
import { type Geometry, visibleRows } from "../grid/rowScroll";
import { gutterWidth, ROOM_FOR_LINES } from "../grid/useGridView";
import { useRowScroll } from "../grid/useRowScroll";
import { useSize } from "../grid/useSize";
import { formatsOf, type NumberFormat } from "../text/numbers";
import { frozenIn, type Layout, tracksOf } from "./layout";
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
  formats: (NumberFormat | undefined)[];
  gutter: number;
  frozen: { count: number; end: number };
  hasLines: boolean;
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
  const firstRow = pages.row(rows.first);
  const hasFirst = isRow(firstRow);
  // Once seen, lines keep their room: rows that were inserted have none.
  const lines = useRef(false);
  lines.current ||= hasFirst && firstRow.line !== null;
  const hasLines = lines.current && size.width >= ROOM_FOR_LINES;
  const gutter = gutterWidth(session.sheet.count, hasLines);
  const names = known.map((column) => column.name).join("\n");
  const sample = useRef<{ names: string; rows: (readonly unknown[])[] }>({ names: "", rows: [] });
  // Widths follow the first rows that were seen of these columns, and stay when others come into view.
  if (hasFirst && sample.current.names !== names) {
    const seen = Array.from({ length: SAMPLE_ROWS }, (_, i) => pages.row(rows.first + i));
    sample.current = { names, rows: seen.filter(isRow).map(({ values }) => values) };
  }
  const measured = sample.current;
  const formats = useMemo(() => formatsOf(known, measured.rows), [known, measured]);
  const tracks = useMemo(
    () => tracksOf(known, measured.rows, formats, gutter, layout),
    [known, measured, formats, gutter, layout],
  );
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
    formats,
    gutter,
    frozen,
    hasLines,
    isReady: size.height > 0 && hasColumns && hasFirst,
  };
}
