import { useRef } from "react";
import type { Edits, Kind, Notebook, NotebookCell } from "../api/notebooks";
import styles from "./CellCard.module.css";
import { CellForm } from "./CellForm";
import { CellOutput } from "./CellOutput";
import { CellState } from "./CellState";

type Props = {
  notebook: Notebook;
  cell: NotebookCell;
  kind: Kind | undefined;
  edits: Edits;
  position: number;
};

/** One cell: how it stands, what it says, and what it made. */
export function CellCard({ notebook, cell, kind, edits, position }: Props) {
  const isBusy = cell.status === "running" || cell.status === "waiting";
  // While a cell runs, what it gave before stays in sight.
  const last = useRef(cell);
  if (!isBusy) last.current = cell;
  const shown = isBusy && cell.displays.length === 0 && last.current.id === cell.id ? last.current : cell;
  return (
    <section className={styles.card} data-status={cell.status} aria-label={`Cell ${cell.id}, ${cell.kind}`}>
      <header className={styles.head}>
        <span className={styles.kind}>{cell.kind}</span>
        <CellState cell={cell} />
        <span className={styles.space} />
        <button
          type="button"
          className={styles.act}
          disabled={position === 0}
          onClick={() => edits.move.mutate({ cell: cell.id, position: position - 1 })}
        >
          Up
        </button>
        <button
          type="button"
          className={styles.act}
          disabled={position === notebook.cells.length - 1}
          onClick={() => edits.move.mutate({ cell: cell.id, position: position + 1 })}
        >
          Down
        </button>
        <button type="button" className={styles.act} onClick={() => edits.remove.mutate(cell.id)}>
          Delete
        </button>
        {isBusy ? (
          <button type="button" className={styles.act} onClick={() => edits.cancel.mutate(cell.id)}>
            Stop
          </button>
        ) : (
          <button
            type="button"
            className={styles.act}
            onClick={() => edits.run.mutate({ cell: cell.id, what: "cell", again: true })}
          >
            Run
          </button>
        )}
      </header>
      {kind && <CellForm key={cell.id} notebook={notebook} cell={cell} kind={kind} edits={edits} />}
      <CellOutput notebook={notebook.name} cell={shown} isOld={shown !== cell} />
    </section>
  );
}
