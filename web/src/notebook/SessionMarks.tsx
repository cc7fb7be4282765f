import { keysFor } from "../state/keymap";
import styles from "./SessionMarks.module.css";
import { needsOthers, SESSION_SIGNS, type SessionMark } from "./sessionMarks";

type Props = { marks: SessionMark[]; isBusy: boolean; onUpstream: () => void };

/** What the session says about a cell, and the way to put it right. */
export function SessionMarks({ marks, isBusy, onUpstream }: Props) {
  if (marks.length === 0 || isBusy) return null;
  return (
    <div className={styles.marks} role="note" aria-label="Session">
      {marks.map(({ mark, words, reason }) => (
        <p key={mark} data-mark={mark}>
          <span className={styles.sign} aria-hidden="true">
            {SESSION_SIGNS[mark]}
          </span>
          <strong>{mark === "fails" || mark === "again" ? words : `${mark}: ${words}`}</strong>
          {reason && <span className={styles.reason}>{reason}</span>}
        </p>
      ))}
      {needsOthers(marks) && (
        <button type="button" className="button" title={keysFor("runUpstream")} onClick={onUpstream}>
          Run what it needs
        </button>
      )}
    </div>
  );
}
