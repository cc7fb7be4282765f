import { memo } from "react";
import type { Schemas } from "../api/client";
import { cellName } from "../text/cellName";
import { type NumberFormat, showIn } from "../text/numbers";
import { isNumeric } from "../text/value";
import { number } from "../text/words";
import { Triangle } from "../ui/Triangle";
import type { Track } from "./columns";
import styles from "./Grid.module.css";
import { GridCell } from "./GridCell";
import { isRow, type Row } from "./PageCache";
import { ROW_HEIGHT } from "./rowScroll";
import type { BoundsTip } from "./useBoundsTip";

type Props = {
  gridId: string;
  index: number;
  /** The id of the row, as far as it is known. */
  rid: number | undefined;
  row: Row | "loading" | Error;
  columns: Schemas["Column"][];
  formats: readonly (NumberFormat | undefined)[];
  tracks: Track[];
  first: number;
  end: number;
  gutter: number;
  hasLines: boolean;
  /** The selected column, if the selection is in this row. */
  selected: number | undefined;
  isLit: boolean;
  /** Columns of this row that were used for the cell that is asked about. */
  used: ReadonlySet<number> | undefined;
  /** What the pointer tells of a cell of this row. */
  tip: BoundsTip | undefined;
};

/** One row: its number (and line of the file), then the cells in view. */
export const GridRow = memo(function GridRow(props: Props) {
  const {
    gridId,
    index,
    rid,
    row,
    columns,
    formats,
    tracks,
    first,
    end,
    gutter,
    hasLines,
    selected,
    isLit,
    used,
    tip,
  } = props;
  const isReady = isRow(row);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={styles.row}
      data-row={index}
      data-lit={isLit || undefined}
      data-current={selected !== undefined || undefined}
      data-state={isReady ? "ready" : row === "loading" ? "loading" : "failed"}
      style={{ height: ROW_HEIGHT }}
    >
      <div role="rowheader" aria-colindex={1} className={styles.gutter} style={{ width: gutter }}>
        {isReady && row.isDoubtful && <Triangle label="doubtful row" />}
        <span>{rid === undefined ? "" : number(rid + 1)}</span>
        {isReady && hasLines && row.line !== null && <span className={styles.line}>{number(row.line)}</span>}
      </div>
      {columns.slice(first, end).map((column, offset) => {
        const position = first + offset;
        const track = tracks[position];
        if (track === undefined) return null;
        if (!isReady) return <div key={column.name} role="gridcell" className={styles.bar} style={track} />;
        const [isDoubtful, isUsed] = [row.marks.includes(position), used?.has(position) ?? false];
        const isWritten = row.written.includes(position);
        const text = showIn(formats[position], row.values[position]);
        const cell = { columns, values: row.values, position, row: row.rid };
        return (
          <GridCell
            key={column.name}
            id={`${gridId}-${index}-${position}`}
            value={row.values[position]}
            text={text}
            name={cellName(cell, text, [isDoubtful && "doubtful", isWritten && "not data", isUsed && "used"])}
            column={position}
            track={track}
            isNumeric={isNumeric(column.type)}
            isDoubtful={isDoubtful}
            isWritten={isWritten}
            isSelected={selected === position}
            isUsed={isUsed}
            tip={tip?.column === position ? tip.text : undefined}
          />
        );
      })}
    </div>
  );
});
