import { type KeyboardEvent, useEffect, useRef } from "react";
import { isKey } from "../state/keymap";
import { type Editing, finishing, type Step } from "./Editing";
import styles from "./SheetGrid.module.css";

type Props = {
  editing: Editing;
  label: string;
  onType: (text: string) => void;
  onFinish: (step: Step | "cancel") => void;
};

/** The field in a cell; the browser's own input, so that input methods and dictation work. */
export function CellEditor({ editing, label, onType, onFinish }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => {
    isOver.current = false;
    const element = field.current;
    element?.focus({ preventScroll: true });
    element?.setSelectionRange(element.value.length, element.value.length);
  }, []);
  const finish = (step: Step | "cancel") => {
    if (isOver.current) return;
    isOver.current = true;
    onFinish(step);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isKey(event, "apply")) return finish("stay"); // and the grid around it applies
    event.stopPropagation();
    // While an input method composes, Enter and arrows choose among what it offers.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const step = finishing(event, editing.isQuick);
    if (step === undefined) return;
    event.preventDefault();
    finish(step);
  };
  return (
    <input
      ref={field}
      className={styles.editor}
      aria-label={label}
      value={editing.text}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => onType(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => finish("stay")}
    />
  );
}
