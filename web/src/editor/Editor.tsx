import { lazy, Suspense } from "react";
import styles from "./Editor.module.css";
import type { EditorCommand } from "./keys";
import type { Language } from "./languages";
import type { Names } from "./names";
import type { Problem } from "./problem";

export type EditorProps = {
  text: string;
  language: Language;
  /** What screen readers call it. */
  label: string;
  /** What it says in grey while it is empty. */
  hint: string;
  names: Names;
  problem: Problem | undefined;
  onChange: (text: string) => void;
  onCommand: (command: EditorCommand) => void;
};

const CodeEditor = lazy(() => import("./CodeEditor"));

/** An editor that is fetched when the first one is shown; until then its text stands there. */
export function Editor(props: EditorProps) {
  return (
    <div className={styles.editor}>
      <Suspense
        fallback={
          <pre className={styles.text} data-editor-coming>
            {props.text || <span className={styles.hint}>{props.hint}</span>}
          </pre>
        }
      >
        <CodeEditor {...props} />
      </Suspense>
    </div>
  );
}
