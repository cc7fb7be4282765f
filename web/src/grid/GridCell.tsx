import { show } from "../text/value";
import { Triangle } from "../ui/Triangle";
import type { Track } from "./columns";
import styles from "./Grid.module.css";

type Props = {
  id: string;
  value: unknown;
  /** The value as its column shows it. */
  text: string;
  /** The cell in words. */
  name: string;
  column: number;
  track: Track;
  isNumeric: boolean;
  isDoubtful: boolean;
  /** It stands on no data. */
  isWritten: boolean;
  isSelected: boolean;
  isUsed: boolean;
  /** What the pointer tells. */
  tip: string | undefined;
};

/** One cell; its value is set as text, never as markup. */
export function GridCell(props: Props) {
  const { id, value, text, name, column, track, isNumeric, isDoubtful, isWritten, isSelected, isUsed, tip } = props;
  return (
    <div
      id={id}
      role="gridcell"
      aria-colindex={column + 2}
      aria-selected={isSelected}
      aria-label={name}
      className={styles.cell}
      title={tip}
      data-column={column}
      data-kind={show(value).kind}
      data-numeric={isNumeric || undefined}
      data-doubtful={isDoubtful || undefined}
      data-written={isWritten || undefined}
      data-used={isUsed || undefined}
      style={{ left: track.left, width: track.width }}
    >
      <span className={styles.text}>{text}</span>
      {isDoubtful && <Triangle label="doubtful" />}
      {isUsed && <span className="visually-hidden">used</span>}
    </div>
  );
}
