import { keysFor } from "../state/keymap";
import styles from "./AddCell.module.css";

type Props = {
  /** Whether it stands between two cells: then it says less. */
  isBetween: boolean;
  onOpen: (anchor: DOMRect) => void;
};

/** The place where a new cell goes: one button, which opens the menu of all kinds. */
export function AddCell({ isBetween, onOpen }: Props) {
  return (
    <div className={styles.bar} data-between={isBetween || undefined}>
      <button
        type="button"
        className={styles.add}
        aria-haspopup="dialog"
        aria-label={isBetween ? "Add a cell here" : undefined}
        title={`Add a cell (${keysFor("chooseKind")})`}
        onClick={(event) => onOpen(event.currentTarget.getBoundingClientRect())}
      >
        <span aria-hidden="true">+</span>
        {!isBetween && " Add a cell"}
      </button>
    </div>
  );
}
