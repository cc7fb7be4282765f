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

/** All keys on one sheet. */
export function ShortcutSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  return (
    <dialog ref={dialog} className={styles.sheet} onClose={onClose} aria-labelledby="shortcuts">
      <h2 id="shortcuts">Keyboard shortcuts</h2>
      <dl className={styles.list}>
        {SHORTCUTS.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" className="button">
          Close
        </button>
      </form>
    </dialog>
  );
}
