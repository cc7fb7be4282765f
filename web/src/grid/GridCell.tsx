import { show } from "../text/value";
import { Triangle } from "../ui/Triangle";
import type { Track } from "./columns";
import styles from "./Grid.module.css";

type Props = {
  id: string;
  value: unknown;
  column: number;
  track: Track;
  isNumeric: boolean;
  isDoubtful: boolean;
  isSelected: boolean;
  isUsed: boolean;
};

/** One cell; its value is set as text, never as markup. */
export function GridCell({ id, value, column, track, isNumeric, isDoubtful, isSelected, isUsed }: Props) {
  const shown = show(value);
  return (
    <div
      id={id}
      role="gridcell"
      aria-colindex={column + 2}
      aria-selected={isSelected}
      className={styles.cell}
      data-column={column}
      data-kind={shown.kind}
      data-numeric={isNumeric || undefined}
      data-doubtful={isDoubtful || undefined}
      data-used={isUsed || undefined}
      style={{ left: track.left, width: track.width }}
    >
      <span className={styles.text}>{shown.text}</span>
      {isDoubtful && <Triangle label="doubtful" />}
      {isUsed && <span className="visually-hidden">used</span>}
    </div>
  );
}
