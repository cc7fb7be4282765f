import { useEffect, useRef } from "react";
import styles from "./ShortcutSheet.module.css";

const SHORTCUTS: [string[], string][] = [
  [["↑", "↓", "←", "→"], "Move the selection"],
  [["Ctrl", "Home / End"], "First and last cell"],
  [["Enter"], "Into the inspector"],
  [["Esc"], "Back out one level"],
  [["F8"], "Next doubtful cell"],
  [["Shift", "F8"], "Previous doubtful cell"],
  [["F6"], "Next part of the page"],
  [["Ctrl", "."], "Show or hide the inspector"],
  [["Alt", "←"], "Back to where you were"],
  [["?"], "This list"],
];

const SHEET_SHORTCUTS: [string[], string][] = [
  [["Enter", "F2", "a…z"], "Edit the cell"],
  [["Tab", "Enter"], "Keep it and go on"],
  [["Shift", "↑ ↓ ← →"], "Select a range"],
  [["Ctrl", "↑ ↓ ← →"], "To the edge"],
  [["Ctrl", "G"], "Go to a row"],
  [["Ctrl", "Z"], "Undo; with Shift redo"],
  [["Ctrl", "D"], "Fill down"],
  [["Ctrl", "F"], "Find; Ctrl H replaces"],
  [["Alt", "↓"], "Column menu"],
  [["Ctrl", "Shift", "H"], "What was done to the cell"],
];

/** All keys on one sheet. */
export function ShortcutSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  const row = ([keys, meaning]: [string[], string]) => (
    <div key={meaning}>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{meaning}</dd>
    </div>
  );
  return (
    <dialog ref={dialog} className={styles.sheet} onClose={onClose} aria-labelledby="shortcuts">
      <h2 id="shortcuts">Keyboard shortcuts</h2>
      <dl className={styles.list}>{SHORTCUTS.map(row)}</dl>
      <h3 className={styles.part}>In a sheet</h3>
      <dl className={styles.list}>{SHEET_SHORTCUTS.map(row)}</dl>
      <form method="dialog">
        <button type="submit" className="button">
          Close
        </button>
      </form>
    </dialog>
  );
}
