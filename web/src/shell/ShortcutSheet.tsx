import { useEffect, useRef } from "react";
import styles from "./ShortcutSheet.module.css";

type Keys = [string[], string][];

const PARTS: [string, Keys][] = [
  [
    "Everywhere",
    [
      [["Ctrl", "K"], "Go anywhere, do anything"],
      [["F6"], "Next part of the page"],
      [["Ctrl", "."], "Show or hide the inspector"],
      [["Alt", "←"], "Back to where you were"],
      [["Esc"], "Back out one level"],
      [["?"], "This list"],
    ],
  ],
  [
    "Notebook",
    [
      [["Ctrl", "Enter"], "Run the cell"],
      [["Shift", "Enter"], "Run it and go on"],
      [["Alt", "Enter"], "Run it and add a cell"],
      [["Ctrl", "Shift", "R"], "Run what is stale"],
      [["Ctrl", "I"], "Stop the cell"],
      [["Ctrl", "Z"], "Undo; in a text, of that text"],
      [["Esc"], "From the text to the cell"],
      [["Enter"], "From the cell to its text"],
      [["J", "K"], "Next and previous cell"],
      [["A", "B"], "Add a cell above, below"],
      [["X", "C", "V"], "Cut, copy, paste a cell"],
      [["M", "Y", "P"], "Make it a note, SQL, Python"],
      [["F"], "Freeze or thaw it"],
      [["Alt", "↑ ↓"], "Move it"],
      [["]", "S"], "Next stale cell"],
    ],
  ],
  [
    "Dataset",
    [
      [["↑", "↓", "←", "→"], "Move the selection"],
      [["Ctrl", "Home / End"], "First and last cell"],
      [["Enter"], "Into the inspector"],
      [["F8"], "Next doubtful cell"],
      [["Shift", "F8"], "Previous doubtful cell"],
    ],
  ],
  [
    "Sheet",
    [
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
    ],
  ],
  [
    "Caveats",
    [
      [["J", "K"], "Next and previous group"],
      [["E"], "Acknowledge"],
      [["U"], "Doubt again"],
      [["Enter"], "Open the first place"],
    ],
  ],
  [
    "Lineage",
    [
      [["↑", "↓", "←", "→"], "Along the lines"],
      [["+", "−"], "Show or fold neighbours"],
      [["Enter"], "Open the dataset"],
      [["/"], "Find"],
    ],
  ],
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
      <div className={styles.parts}>
        {PARTS.map(([title, keys]) => (
          <section key={title} className={styles.part}>
            <h3>{title}</h3>
            <dl className={styles.list}>
              {keys.map(([held, meaning]) => (
                <div key={meaning}>
                  <dt>
                    {held.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <form method="dialog">
        <button type="submit" className="button">
          Close
        </button>
      </form>
    </dialog>
  );
}
