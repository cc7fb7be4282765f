import { type KeyboardEvent, useEffect, useState } from "react";
import { isKey } from "../state/keymap";
import { type Editing, finishing, type Step } from "./Editing";
import styles from "./FormulaBar.module.css";

type Props = {
  /** As formulas call the selected cell; empty without a selection. */
  name: string;
  /** What stands in the selected cell. */
  source: string;
  editing: Editing | undefined;
  isReady: boolean;
  /** Leads there, or says why not. */
  onGo: (text: string) => Promise<string | undefined>;
  onBegin: () => void;
  onType: (text: string) => void;
  onFinish: (step: Step | "cancel") => void;
};

/** The name box, which also leads to any cell, and the bar that shows and edits what stands in the selected one. */
export function FormulaBar({ name, source, editing, isReady, onGo, onBegin, onType, onFinish }: Props) {
  const [place, setPlace] = useState(name);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    setPlace(name);
    setProblem(undefined);
  }, [name]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (isKey(event, "apply")) return onFinish("stay"); // and the sheet applies
    event.stopPropagation();
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const step = finishing(event, false);
    if (step === undefined) return;
    event.preventDefault();
    onFinish(step);
  };
  return (
    <div className={styles.bar}>
      <input
        className={styles.name}
        data-name-box=""
        aria-label="Go to a cell: B2, 12:price or #12"
        aria-invalid={problem !== undefined || undefined}
        value={place}
        placeholder="B2"
        spellCheck={false}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setPlace(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") void onGo(place).then(setProblem);
          else if (event.key === "Escape") setPlace(name);
        }}
        onBlur={() => {
          setPlace(name);
          setProblem(undefined);
        }}
      />
      <span className={styles.sign} aria-hidden="true">
        ƒx
      </span>
      <input
        className={styles.source}
        data-formula-bar=""
        aria-label="Value or formula"
        value={editing?.text ?? source}
        disabled={!isReady}
        spellCheck={false}
        autoComplete="off"
        onFocus={onBegin}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => editing?.at === "bar" && onFinish("stay")}
      />
      {problem && (
        <span role="alert" className={styles.problem}>
          {problem}
        </span>
      )}
    </div>
  );
}
