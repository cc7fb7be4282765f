import { Notice } from "../ui/Notice";
import { moveColumn } from "./columnItems";
import { IdenticalOffer } from "./IdenticalOffer";
import type { Layout } from "./layout";
import { type GridProps, SheetGrid } from "./SheetGrid";
import styles from "./SheetTable.module.css";
import { single } from "./selection";
import type { useIdentical } from "./useIdentical";

type Props = {
  grid: Omit<GridProps, "header" | "onJump">;
  identical: ReturnType<typeof useIdentical>;
  onLayout: (layout: Partial<Layout>) => void;
  onMenu: (column: number, anchor: DOMRect) => void;
  onInsertRow: () => void;
  onAllRows: () => void;
  onSay: (sentence: string) => void;
  /** Gives the focus back to the grid. */
  takeFocus: () => void;
};

/** The grid of a sheet, with what is said over it: that there are no rows, or that other cells say the same. */
export function SheetTable({ grid, identical, onLayout, onMenu, onInsertRow, onAllRows, onSay, takeFocus }: Props) {
  const { session, selection, onSelect } = grid;
  const isFiltered = session.where !== undefined;
  const pickColumn = (at: number, extend: boolean) =>
    onSelect({
      anchor: {
        row: Math.max(0, session.count - 1),
        column: extend && selection ? selection.anchor.column : at,
      },
      cursor: { row: 0, column: at },
    });
  const leaveOffer = () => {
    identical.leave();
    takeFocus();
  };
  return (
    <div className={styles.table}>
      <SheetGrid
        {...grid}
        header={{
          onPick: pickColumn,
          onMove: (one, other) => moveColumn(session, one, other),
          onMenu,
          onLayout,
        }}
        onJump={(to) => {
          onSelect(single({ row: to, column: selection?.cursor.column ?? 0 }));
          takeFocus();
        }}
      />
      {session.count === 0 && session.columns.length > 0 && (
        <div className={styles.empty}>
          <Notice
            title={isFiltered ? "No row passes the filters." : "The sheet has no rows."}
            action={isFiltered ? { label: "All rows", run: onAllRows } : { label: "Insert a row", run: onInsertRow }}
          />
        </div>
      )}
      {identical.offer && (
        <IdenticalOffer
          cells={identical.offer.cells}
          isFiltered={isFiltered}
          column={identical.offer.column}
          onTake={() => {
            const { key, column, cells } = identical.offer ?? { key: "", column: "", cells: 0 };
            session.do("apply_to_identical", { row: key, column });
            onSay(`Did the same to ${cells.toLocaleString("en")} cells.`);
            leaveOffer();
          }}
          onLeave={leaveOffer}
        />
      )}
    </div>
  );
}
