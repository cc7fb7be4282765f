import { count } from "../text/words";
import type { Clause, Preview } from "./api";
import { wordsOf } from "./clauses";
import styles from "./Shown.module.css";

type Props = {
  clauses: Clause[];
  preview: Preview | undefined;
  keepsOnly: boolean;
  isLocked: boolean;
  onKeepsOnly: (keepsOnly: boolean) => void;
  onClear: () => void;
  onKeep: () => void;
};

/** Which rows the chart leaves out just now, or shows alone. */
export function Shown({ clauses, preview, keepsOnly, isLocked, onKeepsOnly, onClear, onKeep }: Props) {
  return (
    <div className={styles.shown} data-locked={isLocked || undefined}>
      <p>
        {keepsOnly ? "Only rows where " : "Without rows where "}
        {clauses.map((clause, i) => (
          <span key={`${clause.column} ${clause.part ?? ""}`}>
            {i > 0 && " and "}
            <strong>{wordsOf(clause)}</strong>
          </span>
        ))}
        {preview && `: ${count(preview.count, "row")}`}
      </p>
      <fieldset className="segments" data-small>
        <legend className="visually-hidden">These rows</legend>
        <button type="button" aria-pressed={!keepsOnly} onClick={() => onKeepsOnly(false)}>
          Remove them
        </button>
        <button type="button" aria-pressed={keepsOnly} onClick={() => onKeepsOnly(true)}>
          Only them
        </button>
      </fieldset>
      {isLocked && (
        <>
          <button
            type="button"
            className="button"
            disabled={!preview || Object.keys(preview.cells).length === 0}
            onClick={onKeep}
          >
            Make permanent…
          </button>
          <button type="button" className="button" onClick={onClear}>
            Show all rows
          </button>
          {preview && Object.keys(preview.cells).length === 0 && (
            <p>It is about columns of another dataset: join them first to keep it.</p>
          )}
        </>
      )}
    </div>
  );
}
