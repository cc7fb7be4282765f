import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { Annotation, Compartment, EditorState } from "@codemirror/state";
import { EditorView, placeholder } from "@codemirror/view";
import { useEffect, useRef } from "react";
import type { EditorProps } from "./Editor";
import styles from "./Editor.module.css";
import { keysOf } from "./keys";
import { languageOf } from "./languages";
import { appearance } from "./theme";

/** Marks a change that came from the server, not from the keyboard. */
const fromOutside = Annotation.define<boolean>();

/**
 * The text of a cell with completion, marks and its own undo. It lives in a shadow root: there its styles are
 * constructed, which the page's policy allows, while a style element would be refused.
 */
export default function CodeEditor(props: EditorProps) {
  const { text, language, label, hint, problem } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const hints = useRef(new Compartment());
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: [extensionsOf(language, label, latest), hints.current.of(placeholder(latest.current.hint))],
      }),
    });
    view.current = made;
    // Whoever wanted to write here before the editor had come is let in now.
    const cell = element.closest<HTMLElement>("[data-wants-text]");
    if (cell) {
      delete cell.dataset.wantsText;
      made.focus();
    }
    return () => made.destroy();
  }, [language, label]);

  useEffect(() => {
    const made = view.current;
    if (made === undefined || made.state.doc.toString() === text) return;
    made.dispatch({
      changes: { from: 0, to: made.state.doc.length, insert: text },
      annotations: fromOutside.of(true),
    });
  }, [text]);

  useEffect(() => {
    view.current?.dispatch({ effects: hints.current.reconfigure(placeholder(hint)) });
  }, [hint]);

  const { from, to, message } = problem ?? {};
  useEffect(() => {
    const made = view.current;
    if (made === undefined) return;
    const length = made.state.doc.length;
    const isThere = from !== undefined && to !== undefined && to <= length;
    const marks = isThere ? [{ from, to, message: message ?? "", severity: "error" as const }] : [];
    made.dispatch(setDiagnostics(made.state, marks));
  }, [from, to, message]);

  return <div ref={host} className={styles.host} data-editor={language} />;
}

function extensionsOf(language: EditorProps["language"], label: string, latest: { current: EditorProps }) {
  return [
    keysOf((command) => latest.current.onCommand(command)),
    languageOf(language, () => latest.current.names),
    language === "python" ? [] : EditorView.lineWrapping,
    language === "markdown" ? [] : lintGutter(),
    appearance,
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
    EditorView.updateListener.of((update) => {
      const isTyped = !update.transactions.some((each) => each.annotation(fromOutside));
      if (update.docChanged && isTyped) latest.current.onChange(update.state.doc.toString());
    }),
  ];
}
