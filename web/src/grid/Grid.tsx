import { type KeyboardEvent, type MouseEvent, useId, useRef } from "react";
import type { Dataset } from "../api/client";
import { totalWidth } from "./columns";
import styles from "./Grid.module.css";
import { GridHeader } from "./GridHeader";
import { GridRow } from "./GridRow";
import { LoadFailed } from "./LoadFailed";
import type { Lit } from "./lit";
import { type Cursor, move } from "./moves";
import { isRow } from "./PageCache";
import { HEADER_HEIGHT, ROW_HEIGHT, spacerHeight } from "./rowScroll";
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

/** A table of any length: only what is in view is drawn, and only pages in view are fetched. */
export function Grid({ dataset, label, cursor, lit, isFitted, onMove, onPick = onMove, onOpen }: Props) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const view = useGridView(scroller, dataset);
  const { geometry, size, top, pages, tracks, gutter, columns } = view;
  useFollow(scroller, view, cursor, lit?.first);

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

  const indexes = Array.from({ length: view.rows.end - view.rows.first }, (_, i) => view.rows.first + i);
  const isDrawn =
    cursor !== undefined &&
    indexes.includes(cursor.row) &&
    cursor.column >= columns.first &&
    cursor.column < columns.end &&
    isRow(pages.row(cursor.row));
  const failure = indexes.map((index) => pages.row(index)).find((row) => row instanceof Error);
  const height = HEADER_HEIGHT + dataset.rows * ROW_HEIGHT + size.scrollbar;

  return (
    <div className={styles.frame} style={isFitted ? { flex: `0 1 ${Math.min(height, 5000)}px` } : undefined}>
      <div
        ref={scroller}
        className={styles.scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={dataset.rows + 1}
        aria-colcount={dataset.columns.length + 1}
        aria-activedescendant={isDrawn ? `${id}-${cursor.row}-${cursor.column}` : undefined}
        aria-readonly="true"
        tabIndex={0}
        onScroll={view.onScroll}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <div
          role="presentation"
          className={styles.spacer}
          style={{ height: HEADER_HEIGHT + spacerHeight(geometry), width: totalWidth(tracks, gutter) }}
        >
          <div role="presentation" className={styles.layer} style={{ height: size.height }}>
            <GridHeader dataset={dataset} view={view} />
            <div role="presentation" className={styles.body} style={{ height: geometry.bodyHeight }}>
              <div role="rowgroup" style={{ transform: `translateY(${(view.rows.first - top) * ROW_HEIGHT}px)` }}>
                {indexes.map((index) => (
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
                ))}
              </div>
            </div>
          </div>
        </div>
      </div>
      {failure instanceof Error && <LoadFailed error={failure} onRetry={() => pages.retry()} />}
    </div>
  );
}
