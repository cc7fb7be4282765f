import type { Dataset } from "../api/client";
import type { Sort } from "../results/rowView";
import { isNumeric } from "../text/value";
import { Triangle } from "../ui/Triangle";
import styles from "./Grid.module.css";
import { HEADER_HEIGHT } from "./rowScroll";
import type { GridView } from "./useGridView";
import { WidthNote } from "./WidthNote";

type Props = {
  dataset: Dataset;
  view: GridView;
  /** The column by which the rows are sorted. */
  sort: Sort | undefined;
  /** Opens the menu of a column; without it columns have none. */
  onMenu: ((column: string, anchor: DOMRect) => void) | undefined;
};

const SORTED = { asc: "ascending", desc: "descending" } as const;

/** Column names with their types, and which of them hold anything doubtful. */
export function GridHeader({ dataset, view, sort, onMenu }: Props) {
  const { tracks, gutter, hasLines } = view;
  const { first, end } = view.columns;
  return (
    <div role="rowgroup" className={styles.header} style={{ height: HEADER_HEIGHT }}>
      <div role="row" aria-rowindex={1}>
        <div role="columnheader" aria-colindex={1} className={styles.corner} style={{ width: gutter }}>
          <span>row</span>
          {hasLines && <span className={styles.line}>line</span>}
        </div>
        {dataset.columns.slice(first, end).map((column, offset) => {
          const position = first + offset;
          const track = tracks[position];
          if (track === undefined) return null;
          return (
            <div
              key={column.name}
              role="columnheader"
              aria-colindex={position + 2}
              className={styles.name}
              data-numeric={isNumeric(column.type) || undefined}
              aria-sort={sort?.column === column.name ? SORTED[sort.direction] : undefined}
              style={{ left: track.left, width: track.width }}
              title={column.name}
            >
              <span className={styles.top}>
                <span className={styles.label}>{column.name}</span>
                {sort?.column === column.name && <span aria-hidden="true">{sort.direction === "asc" ? "↑" : "↓"}</span>}
                {onMenu && (
                  <button
                    type="button"
                    className={styles.menu}
                    tabIndex={-1}
                    aria-label={`Column ${column.name}`}
                    aria-haspopup="menu"
                    onClick={(event) => onMenu(column.name, event.currentTarget.getBoundingClientRect())}
                  >
                    ⌄
                  </button>
                )}
              </span>
              <span className={styles.type}>
                {column.type}
                {dataset.doubt.columns.includes(column.name) && (
                  <>
                    <Triangle label="has doubtful cells" />
                    <WidthNote dataset={dataset} column={column.name} />
                  </>
                )}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
