import { type KeyboardEvent, useState } from "react";
import type { Edits, Kind, Notebook, NotebookCell } from "../api/notebooks";
import { count } from "../text/words";
import styles from "./CellForm.module.css";
import { Field } from "./Field";
import { asText, fromText } from "./values";

type Props = { notebook: Notebook; cell: NotebookCell; kind: Kind; edits: Edits };
type Draft = Record<string, string>;
type Parameter = Kind["parameters"][number];

/** What a cell says, one field for each parameter. What was typed stays until the server has it. */
export function CellForm({ notebook, cell, kind, edits }: Props) {
  const [draft, setDraft] = useState<Draft>(() => readDraft(notebook.name, cell.id));
  const [problem, setProblem] = useState("");
  const changed = Object.entries(draft).filter(([name, text]) => text !== asText(cell.values[name]));
  const type = (name: string, text: string) => {
    const next = { ...draft, [name]: text };
    setDraft(next);
    keepDraft(notebook.name, cell.id, next);
  };
  const save = () => {
    if (changed.length === 0) {
      edits.run.mutate({ cell: cell.id, what: "cell", again: cell.status === "ready" });
      return;
    }
    const types = new Map(kind.parameters.map((parameter) => [parameter.name, parameter.type]));
    const values = Object.fromEntries(changed.map(([name, text]) => [name, fromText(types.get(name) ?? "text", text)]));
    edits.change.mutate(
      { cell: cell.id, values, base_version: notebook.version },
      {
        onSuccess: () => {
          setProblem("");
          setDraft({});
          keepDraft(notebook.name, cell.id, {});
        },
        onError: (error) => setProblem(error.message),
      },
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    save();
  };
  const isFolded = (parameter: Parameter) => !parameter.is_required && asText(cell.values[parameter.name]) === "";
  const folded = kind.parameters.filter(isFolded);
  const field = (parameter: Parameter) => (
    <Field
      key={parameter.name}
      id={`${cell.id}-${parameter.name}`}
      parameter={parameter}
      isText={parameter.name === "source" && parameter.type === "text"}
      text={draft[parameter.name] ?? asText(cell.values[parameter.name])}
      onChange={(text) => type(parameter.name, text)}
    />
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key works in every field of the form
    <div className={styles.form} onKeyDown={onKeyDown}>
      {kind.parameters.filter((parameter) => !isFolded(parameter)).map(field)}
      {folded.length > 0 && (
        <details className={styles.more}>
          <summary>{count(folded.length, "more option")}</summary>
          <div className={styles.fields}>{folded.map(field)}</div>
        </details>
      )}
      {changed.length > 0 && (
        <div className={styles.save}>
          <button type="button" className="button" onClick={save}>
            Save and run
          </button>
          <button
            type="button"
            className="button"
            onClick={() => {
              setDraft({});
              setProblem("");
              keepDraft(notebook.name, cell.id, {});
            }}
          >
            Discard
          </button>
          <kbd>Ctrl Enter</kbd>
        </div>
      )}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

const place = (notebook: string, cell: string) => `whence.draft.${notebook}.${cell}`;

function readDraft(notebook: string, cell: string): Draft {
  try {
    return JSON.parse(window.localStorage.getItem(place(notebook, cell)) ?? "{}") as Draft;
  } catch {
    return {};
  }
}

function keepDraft(notebook: string, cell: string, draft: Draft): void {
  if (Object.keys(draft).length === 0) window.localStorage.removeItem(place(notebook, cell));
  else window.localStorage.setItem(place(notebook, cell), JSON.stringify(draft));
}
