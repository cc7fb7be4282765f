import type { PointerEvent } from "react";
import type { Track } from "../grid/columns";
import { WidthNote } from "../grid/WidthNote";
import { isNumeric } from "../text/value";
import { Triangle } from "../ui/Triangle";
import type { Sheet, SheetColumn } from "./api";
import { letters } from "./letters";
import { MiniHistogram, nullShare } from "./MiniHistogram";
import styles from "./SheetHeader.module.css";
import { useProfile } from "./useProfile";

type Props = {
  sheet: Sheet;
  column: SheetColumn;
  position: number;
  track: Track;
  isSelected: boolean;
  isDoubtful: boolean;
  onMenu: (anchor: DOMRect) => void;
  onPress: (event: PointerEvent<HTMLElement>) => void;
  onResize: (event: PointerEvent<HTMLElement>) => void;
  onReset: () => void;
};

/** A column's letter, name, type, share of nulls and spread of values. */
export function HeaderCell(props: Props) {
  const { sheet, column, position, track, isSelected, isDoubtful, onMenu, onPress, onResize, onReset } = props;
  const data = { name: sheet.dataset, version: sheet.version };
  const profile = useProfile(sheet, column).data;
  return (
    <div
      role="columnheader"
      aria-colindex={position + 2}
      className={styles.name}
      data-header={position}
      data-numeric={isNumeric(column.type) || undefined}
      data-selected={isSelected || undefined}
      style={{ left: track.left, width: track.width }}
      title={column.name}
      onPointerDown={onPress}
    >
      <span className={styles.top}>
        <span className={styles.letter} aria-hidden="true">
          {letters(position)}
        </span>
        <span className={styles.label}>{column.name}</span>
        <button
          type="button"
          className={styles.menu}
          tabIndex={-1}
          aria-label={`Column ${column.name}`}
          aria-haspopup="menu"
          onPointerDown={(event) => event.stopPropagation()}
          onClick={(event) => onMenu(event.currentTarget.getBoundingClientRect())}
        >
          ⌄
        </button>
      </span>
      <span className={styles.type}>
        {column.type}
        {column.base_type !== null && column.base_type !== column.type && (
          <span className={styles.was} title={`In the data it is ${column.base_type}.`}>
            was {column.base_type}
          </span>
        )}
        {isDoubtful && <Triangle label="has doubtful cells" />}
        {isDoubtful && column.base !== null && <WidthNote dataset={data} column={column.base} />}
        {profile && profile.nulls > 0 && (
          <span className={styles.nulls} title="Share of rows without a value">
            {nullShare(profile)}
            <span className="visually-hidden"> null</span>
          </span>
        )}
        {column.base === null && <span className={styles.nulls}>new</span>}
      </span>
      {profile ? <MiniHistogram profile={profile} /> : <span className={styles.histogram} />}
      <span
        className={styles.handle}
        aria-hidden="true"
        onPointerDown={(event) => {
          event.stopPropagation();
          onResize(event);
        }}
        onDoubleClick={onReset}
      />
    </div>
  );
}
