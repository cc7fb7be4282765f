import { keysFor } from "../state/keymap";
import { count, number } from "../text/words";
import type { SheetSession } from "./SheetSession";
import styles from "./SheetToolbar.module.css";

type Props = {
  session: SheetSession;
  newest: number;
  hasSelection: boolean;
  onUndo: () => void;
  onRedo: () => void;
  onRowMenu: (anchor: DOMRect) => void;
  onColumnMenu: (anchor: DOMRect) => void;
  onFind: () => void;
  /** Saves where the data is made. */
  onApply: () => void;
  /** Asks where to save, and under what name. */
  onApplyAs: () => void;
  onDiscard: () => void;
  onReopen: () => void;
};

/** What can be done in the sheet, and what is pending. */
export function SheetToolbar(props: Props) {
  const { session, newest, hasSelection } = props;
  const { sheet, pending } = session;
  const isClean = pending === 0 || session.unsent > 0;
  return (
    <div className={styles.bar}>
      <button type="button" className="button" onClick={props.onUndo} disabled={pending === 0} title="Ctrl Z">
        Undo
      </button>
      <button
        type="button"
        className="button"
        onClick={props.onRedo}
        disabled={sheet.undone === 0}
        title="Ctrl Shift Z"
      >
        Redo
      </button>
      <button
        type="button"
        className="button"
        aria-haspopup="menu"
        disabled={!hasSelection && session.count > 0}
        onClick={(event) => props.onRowMenu(event.currentTarget.getBoundingClientRect())}
      >
        Row ⌄
      </button>
      <button
        type="button"
        className="button"
        aria-haspopup="menu"
        disabled={!hasSelection}
        onClick={(event) => props.onColumnMenu(event.currentTarget.getBoundingClientRect())}
      >
        Column ⌄
      </button>
      <button type="button" className="button" onClick={props.onFind} title="Ctrl F, Ctrl H">
        Find
      </button>
      <span className={styles.saving}>
        <span className={styles.pending} data-some={pending > 0 || undefined} role="status">
          {pending === 0 ? "No edits" : `${number(pending)} pending`}
        </span>
        <button type="button" className="button" onClick={props.onDiscard} disabled={pending === 0}>
          Discard
        </button>
        <button
          type="button"
          className={`button ${styles.roomy}`}
          onClick={props.onApplyAs}
          disabled={isClean}
          title="Choose the notebook and the name of the result"
        >
          Apply as…
        </button>
        <button
          type="button"
          className="primary"
          onClick={props.onApply}
          disabled={isClean}
          title={`Save ${count(pending, "edit")} as a notebook step (${keysFor("apply")})`}
        >
          Apply
        </button>
      </span>
      {newest !== sheet.version && (
        <p className={styles.strip}>
          This sheet is over version {sheet.version}; version {newest} is the newest.
        </p>
      )}
      {session.isOffline && (
        <p role="alert" className={styles.strip}>
          The server does not answer. {count(session.unsent, "edit waits", "edits wait")} in this browser and will be
          sent when it is back.
        </p>
      )}
      {sheet.lost.length > 0 && (
        <details className={styles.strip}>
          <summary>{count(sheet.lost.length, "edit finds", "edits find")} nothing to be applied to</summary>
          <ul>
            {sheet.lost.slice(0, 50).map((lost, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two edits may be lost for the same reason
              <li key={i}>
                {lost.sentence} Not applied, because {lost.why}.
              </li>
            ))}
          </ul>
        </details>
      )}
      {session.problem && (
        <p role="alert" className={styles.strip}>
          {session.problem.message}{" "}
          <button
            type="button"
            className="button"
            onClick={() => (session.isGone ? props.onReopen() : session.dismiss())}
          >
            {session.isGone ? "Open a new sheet" : "Close"}
          </button>
        </p>
      )}
    </div>
  );
}
