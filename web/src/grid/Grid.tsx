import { type KeyboardEvent, type MouseEvent, useId, useRef } from "react";
import type { Dataset } from "../api/client";
import { GridFrame } from "./GridFrame";
import { GridHeader } from "./GridHeader";
import { GridRow } from "./GridRow";
import type { Lit } from "./lit";
import { type Cursor, move } from "./moves";
import { HEADER_HEIGHT, ROW_HEIGHT } from "./rowScroll";
import { useFollow } from "./useFollow";
import { useGridView } from "./useGridView";

type Props = {
  dataset: Dataset;
  label: string;
  cursor: Cursor | undefined;
  lit?: Lit | undefined;
  /** No taller than its rows. */
  isFitted?: boolean;
  /** The selection moves. */
  onMove: (cursor: Cursor) => void;
  /** A click; moves the selection unless said otherwise. */
  onPick?: (cursor: Cursor) => void;
  /** Enter. */
  onOpen?: (cursor: Cursor) => void;
};

/** The rows of a dataset; only pages in view are fetched. */
export function Grid({ dataset, label, cursor, lit, isFitted, onMove, onPick = onMove, onOpen }: Props) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const view = useGridView(scroller, dataset);
  const { geometry, size, pages, tracks, gutter, columns, isReady } = view;
  const isFollowed = { rows: isReady, columns: isReady };
  useFollow(scroller, { ...view, fixed: { count: 0, end: gutter }, isReady: isFollowed }, cursor, lit?.first);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey) return;
    const pageRows = Math.max(1, Math.floor(geometry.bodyHeight / ROW_HEIGHT) - 1);
    const target = move(cursor, event, { rows: dataset.rows, columns: dataset.columns.length, pageRows });
    if (target) onMove(target);
    else if (event.key === "Enter" && cursor) onOpen?.(cursor);
    else return;
    event.preventDefault();
  };

  const onClick = (event: MouseEvent) => {
    const target = event.target as HTMLElement;
    const row = target.closest<HTMLElement>("[data-row]")?.dataset.row;
    const column = target.closest<HTMLElement>("[data-column]")?.dataset.column;
    if (row !== undefined) onPick({ row: Number(row), column: Number(column ?? cursor?.column ?? 0) });
  };

  const height = HEADER_HEIGHT + dataset.rows * ROW_HEIGHT + size.scrollbar;
  return (
    <GridFrame
      id={id}
      label={label}
      scroller={scroller}
      view={view}
      pages={pages}
      columnCount={dataset.columns.length}
      headerHeight={HEADER_HEIGHT}
      cursor={cursor}
      grid={{ "aria-readonly": "true", onKeyDown, onClick }}
      header={<GridHeader dataset={dataset} view={view} />}
      style={isFitted ? { flex: `0 1 ${Math.min(height, 5000)}px` } : undefined}
      renderRow={(index) => (
        <GridRow
          key={index}
          gridId={id}
          index={index}
          row={pages.row(index)}
          columns={dataset.columns}
          tracks={tracks}
          first={columns.first}
          end={columns.end}
          gutter={gutter}
          selected={cursor?.row === index ? cursor.column : undefined}
          isLit={lit?.rows.has(index) ?? false}
          used={lit?.cells.get(index)}
        />
      )}
    />
  );
}
