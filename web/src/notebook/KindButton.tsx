import type { Kind } from "../api/notebooks";
import styles from "./AddCell.module.css";

type Props = { kind: Kind; onChoose: (kind: string) => void };

/** Adds a cell of one kind; its name in plain words, what it does as a hint. */
export function KindButton({ kind, onChoose }: Props) {
  return (
    <button type="button" className={styles.kind} title={kind.title} onClick={() => onChoose(kind.name)}>
      {`+ ${kind.name.replaceAll("_", " ")}`}
    </button>
  );
}
