import type { ReactNode } from "react";
import type { Track } from "../grid/columns";
import { Triangle } from "../ui/Triangle";
import type { CellLook } from "./cellLook";
import styles from "./SheetGrid.module.css";

type Props = {
  id: string;
  look: CellLook;
  /** The value as its column shows it. */
  text: string;
  /** The cell in words. */
  name: string;
  column: number;
  track: Track;
  isNumeric: boolean;
  isActive: boolean;
  isSelected: boolean;
  editor: ReactNode;
  /** Between which values it lies, once the pointer has asked. */
  tip: string | undefined;
};

/** One cell; its value is set as text, never as markup. */
export function SheetCell({
  id,
  look,
  text,
  name,
  column,
  track,
  isNumeric,
  isActive,
  isSelected,
  editor,
  tip,
}: Props) {
  return (
    <div
      id={id}
      role="gridcell"
      aria-colindex={column + 2}
      aria-selected={isSelected}
      aria-label={name}
      aria-invalid={look.problem !== undefined || undefined}
      className={styles.cell}
      data-column={column}
      data-kind={look.kind}
      data-numeric={isNumeric || undefined}
      data-doubtful={look.isDoubtful || undefined}
      data-edited={look.isEdited || undefined}
      data-pending={look.isPending || undefined}
      data-wrong={look.problem !== undefined || undefined}
      data-active={isActive || undefined}
      title={look.problem ?? tip}
      style={{ left: track.left, width: track.width }}
    >
      {editor ?? <span className={styles.text}>{text}</span>}
      {look.isDoubtful && <Triangle label="doubtful" />}
      {look.isEdited && <span className={styles.dot} aria-hidden="true" />}
      {look.isEdited && <span className="visually-hidden">{look.isPending ? "pending" : "edited"}</span>}
      {look.problem !== undefined && <span className="visually-hidden">{look.problem}</span>}
    </div>
  );
}
