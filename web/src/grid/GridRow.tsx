import { memo } from "react";
import type { Schemas } from "../api/client";
import { isNumeric } from "../text/value";
import { Triangle } from "../ui/Triangle";
import type { Track } from "./columns";
import styles from "./Grid.module.css";
import { GridCell } from "./GridCell";
import { isRow, type Row } from "./PageCache";
import { ROW_HEIGHT } from "./rowScroll";

type Props = {
  gridId: string;
  index: number;
  row: Row | "loading" | Error;
  columns: Schemas["Column"][];
  tracks: Track[];
  first: number;
  end: number;
  gutter: number;
  /** The selected column, if the selection is in this row. */
  selected: number | undefined;
  isLit: boolean;
  /** Columns of this row that were used for the cell that is asked about. */
  used: ReadonlySet<number> | undefined;
};

/** One row: its number (and line of the file), then the cells in view. */
export const GridRow = memo(function GridRow(props: Props) {
  const { gridId, index, row, columns, tracks, first, end, gutter, selected, isLit, used } = props;
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
        <span>{index}</span>
        {isReady && row.line !== null && <span className={styles.line}>{row.line}</span>}
      </div>
      {columns.slice(first, end).map((column, offset) => {
        const position = first + offset;
        const track = tracks[position];
        if (track === undefined) return null;
        if (!isReady) return <div key={column.name} role="gridcell" className={styles.bar} style={track} />;
        return (
          <GridCell
            key={column.name}
            id={`${gridId}-${index}-${position}`}
            value={row.values[position]}
            column={position}
            track={track}
            isNumeric={isNumeric(column.type)}
            isDoubtful={row.marks.includes(position)}
            isSelected={selected === position}
            isUsed={used?.has(position) ?? false}
          />
        );
      })}
    </div>
  );
});
