import { useEffect, useRef, useState } from "react";
import {
  COMMAND_IDS,
  type CommandId,
  chordOf,
  isRebound,
  keysFor,
  PARTS,
  type Part,
  partOf,
  rebind,
  reset,
  useKeymap,
  wordsOf,
} from "../state/keymap";
import styles from "./ShortcutSheet.module.css";

/** Keys that are as in every list, text or spreadsheet, and stay so. */
const FIXED: Record<Part, [string[], string][]> = {
  Everywhere: [
    [["Alt", "←"], "Back to where you were"],
    [["Esc"], "Back out one level"],
  ],
  Notebook: [
    [["Ctrl", "Z"], "Undo; in a text, of that text"],
    [["Esc"], "From the text to the cell"],
    [["Enter"], "From the cell to its text"],
    [["]", "S"], "Next stale cell"],
  ],
  Dataset: [
    [["↑", "↓", "←", "→"], "Move the selection"],
    [["Ctrl", "Home / End"], "First and last cell"],
    [["Enter"], "Into the inspector"],
  ],
  Sheet: [
    [["Enter", "F2", "a…z"], "Edit the cell"],
    [["Tab", "Enter"], "Keep the value and go on"],
    [["Shift", "↑ ↓ ← →"], "Select a range"],
    [["Ctrl", "↑ ↓ ← →"], "To the edge"],
    [["Ctrl", "Z"], "Undo; with Shift redo"],
  ],
  Caveats: [[["Enter"], "Open the first place"]],
  Charts: [
    [["↑", "↓", "←", "→"], "Walk the marks; with Shift select them"],
    [["Enter", "Space"], "Select the mark, or add it"],
    [["Esc"], "Clear the brush; with Shift all of them"],
    [["O", "N"], "Explain: the mark is odd, is fine"],
    [["R"], "Explain: search"],
    [["1", "…", "9"], "Explain: lock an answer"],
    [["P"], "Explain: make it permanent"],
  ],
  Lineage: [
    [["↑", "↓", "←", "→"], "Along the lines"],
    [["+", "−"], "Show or fold neighbours"],
    [["Enter"], "Open the dataset"],
  ],
};

/** All keys on one sheet; those that are buttons can be given others. */
export function ShortcutSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [asked, setAsked] = useState<CommandId>();
  const [problem, setProblem] = useState("");
  useKeymap();
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  const ask = (id: CommandId | undefined) => {
    setAsked(id);
    setProblem("");
  };
  const closed = () => {
    ask(undefined);
    onClose();
  };
  return (
    <dialog ref={dialog} className={styles.sheet} onClose={closed} aria-labelledby="shortcuts">
      <h2 id="shortcuts">Keyboard shortcuts</h2>
      <p className={styles.told} role="status" data-problem={problem !== "" || undefined}>
        {problem || "Click the keys of a command to choose others for it; they are kept in this browser."}
      </p>
      <div className={styles.parts}>
        {PARTS.map((part) => (
          <section key={part} className={styles.part}>
            <h3>{part}</h3>
            <dl className={styles.list}>
              {COMMAND_IDS.filter((id) => partOf(id) === part).map((id) => (
                <div key={id}>
                  <dt>
                    <Binding
                      id={id}
                      isAsked={asked === id}
                      onAsk={ask}
                      onProblem={(words) => {
                        setAsked(undefined);
                        setProblem(words ?? "");
                      }}
                    />
                  </dt>
                  <dd>{wordsOf(id)}</dd>
                </div>
              ))}
              {FIXED[part].map(([held, meaning]) => (
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
      <form method="dialog" className={styles.foot}>
        <button
          type="button"
          className="button"
          disabled={!COMMAND_IDS.some(isRebound)}
          onClick={() => setProblem(reset() ?? "")}
        >
          Reset all
        </button>
        <button type="submit" className="button">
          Close
        </button>
      </form>
    </dialog>
  );
}

type BindingProps = {
  id: CommandId;
  isAsked: boolean;
  onAsk: (id: CommandId | undefined) => void;
  onProblem: (words: string | undefined) => void;
};

/** The keys of one command; after a click the next keys that are pressed become its own. */
function Binding({ id, isAsked, onAsk, onProblem }: BindingProps) {
  return (
    <>
      {isRebound(id) && !isAsked && (
        <button
          type="button"
          className={styles.back}
          aria-label={`${wordsOf(id)}: reset`}
          title="Reset"
          onClick={() => onProblem(reset(id))}
        >
          ↺
        </button>
      )}
      <button
        type="button"
        className={styles.keys}
        aria-label={isAsked ? `${wordsOf(id)}: press the new keys` : `${wordsOf(id)}: ${keysFor(id)}`}
        aria-pressed={isAsked}
        onClick={() => onAsk(isAsked ? undefined : id)}
        onBlur={() => isAsked && onAsk(undefined)}
        onKeyDown={(event) => {
          if (!isAsked) return;
          event.preventDefault();
          event.stopPropagation();
          const chord = chordOf(event);
          if (chord === "Escape") onAsk(undefined);
          else if (chord !== undefined) onProblem(rebind(id, chord));
        }}
      >
        {isAsked ? <span className={styles.waiting}>press the new keys</span> : <kbd>{keysFor(id)}</kbd>}
      </button>
    </>
  );
}
