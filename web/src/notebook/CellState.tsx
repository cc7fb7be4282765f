import type { NotebookCell } from "../api/notebooks";
import styles from "./CellState.module.css";
import { SIGNS } from "./signs";

/** How a cell stands and why, in a sign and in words. */
export function CellState({ cell }: { cell: NotebookCell }) {
  const { status, reason, seconds, progress } = cell;
  const done = progress && progress.total > 0 ? ` ${progress.done} of ${progress.total} ${progress.what}` : "";
  const took = status === "ready" && seconds !== null ? ` in ${seconds.toFixed(1)} s` : "";
  return (
    <span className={styles.state} data-status={status}>
      <span aria-hidden="true">{SIGNS[status]}</span>
      {`${status}${reason ? `: ${reason}` : ""}${done}${took}`}
    </span>
  );
}
