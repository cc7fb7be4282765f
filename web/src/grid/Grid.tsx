import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef } from "react";
import type { Dataset } from "../api/client";
import type { RowQuery } from "../api/queries";
import type { Sort } from "../results/rowView";
import { GridFrame } from "./GridFrame";
import { GridHeader } from "./GridHeader";
import { GridRow } from "./GridRow";
import type { Lit } from "./lit";
import { type Cursor, move } from "./moves";
import { isRow } from "./PageCache";
import { HEADER_HEIGHT, ROW_HEIGHT } from "./rowScroll";
import { useBoundsTip } from "./useBoundsTip";
import { useFollow } from "./useFollow";
import { useGridView } from "./useGridView";
import { useSelectedRow } from "./useSelectedRow";

type Props = {
  dataset: Dataset;
  label: string;
  /** Which rows are shown, and in what order; all as they are stored if nothing is said. */
  query?: RowQuery;
  /** The column by which the query sorts, for its header. */
  sort?: Sort | undefined;
  /** The selected cell, by the id of its row. */
  selected: Cursor | undefined;
  lit?: Lit | undefined;
  /** No taller than its rows. */
  isFitted?: boolean;
  /** The selection moves. */
  onMove: (cursor: Cursor) => void;
  /** A click; moves the selection unless said otherwise. */
  onPick?: (cursor: Cursor) => void;
  /** Enter. */
  onOpen?: (cursor: Cursor) => void;
  /** F2 or a double click. */
  onEdit?: ((cursor: Cursor) => void) | undefined;
  /** Opens the menu of a column; without it columns have none. */
  onColumnMenu?: ((column: string, anchor: DOMRect) => void) | undefined;
  /** How many rows are shown, as soon as it is known. */
  onCount?: (count: number) => void;
};

const ALL: RowQuery = {};

/** The rows of a dataset; only pages in view are fetched. */
export function Grid(props: Props) {
  const {
    dataset,
    label,
    query = ALL,
    sort,
    selected,
    lit,
    isFitted,
    onMove,
    onPick = onMove,
    onOpen,
    onEdit,
    onColumnMenu,
    onCount,
  } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const view = useGridView(scroller, dataset, query);
  const { geometry, size, pages, tracks, formats, gutter, hasLines, columns, isReady } = view;
  const isWhole = query.sort === undefined && query.filter === undefined;
  const { cursor, select } = useSelectedRow({ pages, isWhole }, selected, onMove);
  const { rowCount } = geometry;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when it changes, whoever asks
  useEffect(() => onCount?.(rowCount), [rowCount]);
  const isFollowed = { rows: isReady, columns: isReady };
  useFollow(scroller, { ...view, fixed: { count: 0, end: gutter }, isReady: isFollowed }, cursor, lit?.first);

  const { tip, onPointerOver } = useBoundsTip(dataset, dataset.doubt.columns.length > 0, (index, position) => {
    const row = pages.row(index);
    const column = dataset.columns[position];
    return isRow(row) && column ? { row: row.rid, column: column.name } : undefined;
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey) {
      const header = scroller.current?.querySelector(
        `[role="columnheader"][aria-colindex="${(cursor?.column ?? 0) + 2}"]`,
      );
      const name = dataset.columns[cursor?.column ?? 0]?.name;
      if (event.key !== "ArrowDown" || !onColumnMenu || !header || name === undefined) return;
      event.preventDefault();
      return onColumnMenu(name, header.getBoundingClientRect());
    }
    const pageRows = Math.max(1, Math.floor(geometry.bodyHeight / ROW_HEIGHT) - 1);
    const target = move(cursor, event, { rows: rowCount, columns: dataset.columns.length, pageRows });
    if (target) select(target);
    else if (event.key === "Enter" && selected) onOpen?.(selected);
    else if (event.key === "F2" && selected && onEdit) onEdit(selected);
    else return;
    event.preventDefault();
  };

  const onClick = (event: MouseEvent) => {
    const target = event.target as HTMLElement;
    const row = target.closest<HTMLElement>("[data-row]")?.dataset.row;
    const column = target.closest<HTMLElement>("[data-column]")?.dataset.column;
    if (row !== undefined) select({ row: Number(row), column: Number(column ?? cursor?.column ?? 0) }, onPick);
  };

  const height = HEADER_HEIGHT + rowCount * ROW_HEIGHT + size.scrollbar;
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
      grid={{
        "aria-readonly": "true",
        onKeyDown,
        onClick,
        onPointerOver,
        onDoubleClick: () => selected && onEdit?.(selected),
      }}
      header={<GridHeader dataset={dataset} view={view} sort={sort} onMenu={onColumnMenu} />}
      style={isFitted ? { flex: `0 1 ${Math.min(height, 5000)}px` } : undefined}
      renderRow={(index) => {
        const row = pages.row(index);
        return (
          <GridRow
            key={index}
            gridId={id}
            index={index}
            rid={isRow(row) ? row.rid : isWhole ? index : undefined}
            row={row}
            columns={dataset.columns}
            formats={formats}
            tracks={tracks}
            first={columns.first}
            end={columns.end}
            gutter={gutter}
            hasLines={hasLines}
            selected={cursor?.row === index ? cursor.column : undefined}
            isLit={lit?.rows.has(index) ?? false}
            used={lit?.cells.get(index)}
            tip={tip?.row === index ? tip : undefined}
          />
        );
      }}
    />
  );
}
