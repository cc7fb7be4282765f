import type { SheetColumn } from "./api";
import { HeaderCell } from "./HeaderCell";
import type { Layout } from "./layout";
import styles from "./SheetHeader.module.css";
import type { SheetSession } from "./SheetSession";
import type { Box } from "./selection";
import { startResize, useColumnDrag } from "./useColumnDrag";
import { HEADER, type SheetView } from "./useSheetView";

export type HeaderActions = {
  onPick: (column: number, extend: boolean) => void;
  onMove: (from: number, to: number) => void;
  onMenu: (column: number, anchor: DOMRect) => void;
  onLayout: (change: Partial<Layout>) => void;
};

type Props = {
  session: SheetSession;
  view: SheetView;
  layout: Layout;
  box: Box | undefined;
  doubtful: readonly string[];
  actions: HeaderActions;
};

/** The columns' names; those that are frozen stay in place. */
export function SheetHeader({ session, view, layout, box, doubtful, actions }: Props) {
  const { tracks, frozen, gutter, columns: shown } = view;
  const { drop, press } = useColumnDrag(tracks, actions);
  const resize = (column: SheetColumn, width: number | undefined) => {
    const { [column.name]: _, ...others } = layout.widths;
    actions.onLayout({ widths: width === undefined ? others : { ...others, [column.name]: width } });
  };
  const cell = (position: number) => {
    const column = session.columns[position];
    const track = tracks[position];
    if (column === undefined || track === undefined || track.width === 0) return null;
    return (
      <HeaderCell
        key={column.name}
        sheet={session.sheet}
        column={column}
        position={position}
        track={track}
        isSelected={box !== undefined && position >= box.left && position <= box.right}
        isDoubtful={column.base !== null && doubtful.includes(column.base)}
        onMenu={(anchor) => actions.onMenu(position, anchor)}
        onPress={press(position)}
        onResize={(event) => startResize(event, track.width, (width) => resize(column, width))}
        onReset={() => resize(column, undefined)}
      />
    );
  };
  const line =
    drop === undefined ? undefined : (tracks[drop]?.left ?? (tracks.at(-1)?.left ?? 0) + (tracks.at(-1)?.width ?? 0));
  return (
    <div role="rowgroup" className={styles.header} style={{ height: HEADER }}>
      <div role="row" aria-rowindex={1} className={styles.row}>
        <div role="presentation" className={styles.fixed} style={{ width: frozen.end }}>
          <div role="columnheader" aria-colindex={1} className={styles.corner} style={{ width: gutter }}>
            <span>row</span>
            {view.hasLines && <span>line</span>}
          </div>
          {session.columns.slice(0, frozen.count).map((_, position) => cell(position))}
        </div>
        {session.columns.slice(shown.first, shown.end).map((_, offset) => cell(shown.first + offset))}
        {line !== undefined && <span className={styles.drop} style={{ left: line }} />}
      </div>
    </div>
  );
}
