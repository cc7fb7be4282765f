import type { NotebookCell } from "../api/notebooks";
import styles from "./CellOutput.module.css";
import { Display } from "./Display";
import { Preview } from "./Preview";

/** What a cell made and showed; a cell that failed says what went wrong, in one sentence first. */
export function CellOutput({ cell, isOld }: { cell: NotebookCell; isOld: boolean }) {
  const { error, displays, datasets } = cell;
  if (!error && displays.length === 0 && datasets.length === 0) return null;
  return (
    <div className={styles.output} data-old={isOld || cell.status === "stale" || undefined}>
      {error && (
        <div className={styles.error} role="alert">
          <p>{`${error.message}${error.line === null ? "" : ` (line ${error.line})`}`}</p>
          {error.hint && <p className={styles.hint}>{error.hint}</p>}
          {error.traceback && (
            <details>
              <summary>Where it happened</summary>
              <pre>{error.traceback}</pre>
            </details>
          )}
        </div>
      )}
      {displays.map((display, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outputs have no other name than their place
        <Display key={number} display={display} />
      ))}
      {datasets.map((dataset) => (
        <Preview key={`${dataset.name}@${dataset.version}`} dataset={dataset} />
      ))}
    </div>
  );
}
