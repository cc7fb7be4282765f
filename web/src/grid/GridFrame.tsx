import type { CSSProperties, HTMLAttributes, ReactNode, RefObject } from "react";
import { type Track, totalWidth } from "./columns";
import styles from "./GridFrame.module.css";
import { LoadFailed } from "./LoadFailed";
import type { Cursor } from "./moves";
import { isRow } from "./PageCache";
import { type Geometry, ROW_HEIGHT, spacerHeight } from "./rowScroll";

type Range = { first: number; end: number };

export type FrameView = {
  geometry: Geometry;
  size: { height: number };
  top: number;
  onScroll: () => void;
  rows: Range;
  columns: Range;
  tracks: Track[];
  gutter: number;
};

type Pages = { row: (index: number) => { values: readonly unknown[] } | "loading" | Error; retry: () => void };

type Props = {
  id: string;
  label: string;
  scroller: RefObject<HTMLDivElement | null>;
  view: FrameView;
  pages: Pages;
  columnCount: number;
  headerHeight: number;
  cursor: Cursor | undefined;
  /** Columns that are drawn wherever the view is scrolled to. */
  frozenCount?: number;
  /** What the element with the role of a grid does and says beside its size. */
  grid: HTMLAttributes<HTMLDivElement>;
  header: ReactNode;
  renderRow: (index: number) => ReactNode;
  /** Stands beside the rows. */
  aside?: ReactNode;
  style?: CSSProperties | undefined;
};

/** A table of any length: only what is in view is drawn, below a header that stays. */
export function GridFrame(props: Props) {
  const { id, label, scroller, view, pages, columnCount, headerHeight, cursor, frozenCount = 0 } = props;
  const { geometry, rows, columns } = view;
  const indexes = Array.from({ length: Math.max(0, rows.end - rows.first) }, (_, i) => rows.first + i);
  const isDrawn =
    cursor !== undefined &&
    indexes.includes(cursor.row) &&
    (cursor.column < frozenCount || (cursor.column >= columns.first && cursor.column < columns.end)) &&
    isRow(pages.row(cursor.row));
  const failure = indexes.map((index) => pages.row(index)).find((row) => row instanceof Error);
  return (
    <div className={styles.frame} style={props.style}>
      <div
        {...props.grid}
        ref={scroller}
        className={styles.scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={geometry.rowCount + 1}
        aria-colcount={columnCount + 1}
        aria-activedescendant={isDrawn ? `${id}-${cursor.row}-${cursor.column}` : undefined}
        tabIndex={0}
        onScroll={view.onScroll}
      >
        <div
          role="presentation"
          className={styles.spacer}
          style={{ height: headerHeight + spacerHeight(geometry), width: totalWidth(view.tracks, view.gutter) }}
        >
          <div role="presentation" className={styles.layer} style={{ height: view.size.height }}>
            {props.header}
            <div role="presentation" className={styles.body} style={{ height: geometry.bodyHeight }}>
              <div role="rowgroup" style={{ transform: `translateY(${(rows.first - view.top) * ROW_HEIGHT}px)` }}>
                {indexes.map(props.renderRow)}
              </div>
            </div>
          </div>
        </div>
      </div>
      {props.aside}
      {failure instanceof Error && <LoadFailed error={failure} onRetry={() => pages.retry()} />}
    </div>
  );
}
