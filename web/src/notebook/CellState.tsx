import type { NotebookCell } from "../api/notebooks";
import styles from "./CellState.module.css";
import { SIGNS } from "./signs";

/** Why a cell stands as it does, where the server's word needs its code to be understood. */
const REASON_WORDS: Partial<Record<NotebookCell["reason"], string>> = {
  "input changed": "what it reads has changed",
  "upstream error": "a cell above that it needs has failed",
  "engine lost": "Spark ended while it ran",
  "would fail": "it reads a dataset that is not there",
};

/** How a cell stands and why, in a sign and in words. */
export function CellState({ cell }: { cell: NotebookCell }) {
  const { status, reason, seconds, progress } = cell;
  const done = progress && progress.total > 0 ? ` ${progress.done} of ${progress.total} ${progress.what}` : "";
  const took = status === "ready" && seconds !== null ? ` in ${seconds.toFixed(1)} s` : "";
  return (
    <span className={styles.state} data-status={status}>
      <span aria-hidden="true">{SIGNS[status]}</span>
      {`${status}${reason ? `: ${REASON_WORDS[reason] ?? reason}` : ""}${done}${took}`}
    </span>
  );
}
