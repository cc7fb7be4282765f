import { memo, type ReactNode } from "react";
import type { Track } from "../grid/columns";
import { isRow } from "../grid/PageCache";
import { ROW_HEIGHT } from "../grid/rowScroll";
import type { BoundsTip } from "../grid/useBoundsTip";
import { cellName } from "../text/cellName";
import { type NumberFormat, showIn } from "../text/numbers";
import { isNumeric } from "../text/value";
import { number } from "../text/words";
import type { SheetColumn } from "./api";
import { lookOf } from "./cellLook";
import { SheetCell } from "./SheetCell";
import styles from "./SheetGrid.module.css";
import type { SheetRow } from "./SheetRow";
import type { SheetSession } from "./SheetSession";

type Props = {
  gridId: string;
  index: number;
  row: SheetRow | "loading" | Error;
  session: SheetSession;
  /** Grows when anything in the session may look different. */
  changes: number;
  columns: readonly SheetColumn[];
  tracks: Track[];
  formats: readonly (NumberFormat | undefined)[];
  first: number;
  end: number;
  frozen: { count: number; end: number };
  gutter: number;
  hasLines: boolean;
  /** The selected columns of this row; the first is undefined if there are none. */
  spanLeft: number | undefined;
  spanRight: number | undefined;
  active: number | undefined;
  editor: ReactNode;
  /** What the pointer tells of a cell of this row. */
  tip: BoundsTip | undefined;
};

/** One row: its number and the frozen cells stay in place, the others in view scroll sideways below them. */
export const SheetRowView = memo(function SheetRowView(props: Props) {
  const {
    gridId,
    index,
    row,
    session,
    columns,
    tracks,
    formats,
    first,
    end,
    frozen,
    gutter,
    hasLines,
    active,
    editor,
    tip,
  } = props;
  const { spanLeft, spanRight = -1 } = props;
  const isReady = isRow(row);
  const cell = (position: number) => {
    const column = columns[position];
    const track = tracks[position];
    if (column === undefined || track === undefined || track.width === 0) return null;
    if (!isReady) return <div key={column.name} role="gridcell" className={styles.bar} style={track} />;
    const look = lookOf(session, row, column, position);
    const isTyped = session.typed(row, column.name) !== undefined;
    const text = isTyped || look.kind === "error" ? look.text : showIn(formats[position], row.values[position]);
    const state = look.isEdited && (look.isPending ? "pending" : "edited");
    const name = cellName({ columns, values: row.values, position, row: row.position }, text, [
      look.isDoubtful && "doubtful",
      state,
      look.problem,
    ]);
    return (
      <SheetCell
        key={column.name}
        id={`${gridId}-${index}-${position}`}
        look={look}
        text={text}
        name={name}
        column={position}
        track={track}
        isNumeric={isNumeric(column.type)}
        isActive={active === position}
        isSelected={spanLeft !== undefined && position >= spanLeft && position <= spanRight}
        editor={active === position ? editor : null}
        tip={tip?.column === position ? tip.text : undefined}
      />
    );
  };
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={styles.row}
      data-row={index}
      data-state={isReady ? "ready" : row === "loading" ? "loading" : "failed"}
      data-current={active !== undefined || undefined}
      style={{ height: ROW_HEIGHT }}
    >
      <div role="presentation" className={styles.fixed} style={{ width: frozen.end }}>
        <div role="rowheader" aria-colindex={1} className={styles.gutter} style={{ width: gutter }}>
          {isReady && row.isDoubtful && <span className={styles.doubtDot} />}
          {isReady && row.isDoubtful && <span className="visually-hidden">doubtful row</span>}
          <span>{isReady ? number(row.position + 1) : session.where === undefined ? number(index + 1) : ""}</span>
          {isReady && hasLines && row.line !== null && <span className={styles.line}>{number(row.line)}</span>}
        </div>
        {columns.slice(0, frozen.count).map((_, position) => cell(position))}
      </div>
      {columns.slice(first, end).map((_, offset) => cell(first + offset))}
    </div>
  );
});
