import { type KeyboardEvent, useState } from "react";
import type { Edits, Kind, Notebook, NotebookCell } from "../api/notebooks";
import { Editor } from "../editor/Editor";
import type { Names } from "../editor/names";
import { problemIn } from "../editor/problem";
import { keysFor } from "../state/keymap";
import { count } from "../text/words";
import styles from "./CellForm.module.css";
import { type CellCommand, commandWhileWriting } from "./commands";
import type { Draft } from "./drafts";
import { Field } from "./Field";
import { useDraft } from "./useDraft";
import { asText, fromText } from "./values";

type Props = {
  notebook: Notebook;
  cell: NotebookCell;
  kind: Kind;
  edits: Edits;
  names: Names;
  onCommand: (command: CellCommand) => void;
};
type Parameter = Kind["parameters"][number];

/** What a cell says, one field for each parameter. What was typed stays until the server has it. */
export function CellForm({ notebook, cell, kind, edits, names, onCommand }: Props) {
  const { draft, latest, type, sent, discard } = useDraft(notebook.name, cell.id);
  const [problem, setProblem] = useState("");
  const changesIn = (typed: Draft) =>
    Object.entries(typed).filter(([name, text]) => text !== asText(cell.values[name]));
  const changed = changesIn(draft);
  const forget = () => {
    setProblem("");
    discard();
  };
  const save = (what: "cell" | "upstream" = "cell") => {
    const typed = latest();
    const changes = changesIn(typed);
    if (changes.length === 0) {
      edits.run.mutate({ cell: cell.id, what, again: what === "cell" && cell.status === "ready" });
      return;
    }
    const types = new Map(kind.parameters.map((parameter) => [parameter.name, parameter.type]));
    const values = Object.fromEntries(changes.map(([name, text]) => [name, fromText(types.get(name) ?? "text", text)]));
    const kept = () => {
      setProblem("");
      sent(typed);
      // Only an automatic notebook runs what was edited by itself.
      if (notebook.mode !== "auto" || what !== "cell") edits.run.mutate({ cell: cell.id, what, again: false });
    };
    edits.change.mutate(
      { cell: cell.id, values, base_version: notebook.version },
      { onSuccess: kept, onError: (error) => setProblem(error.message) },
    );
  };
  const obey = (command: CellCommand) => {
    if (command === "runUpstream") return save("upstream");
    if (command === "run" || command === "runAndGoOn" || command === "runAndInsert") save();
    if (command !== "run") onCommand(command);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // An editor inside the form has its own keys and says so by preventing the default.
    if (event.isDefaultPrevented()) return;
    const command = commandWhileWriting(event);
    if (command === "run" || command === "runUpstream") obey(command);
    else if (event.key === "Escape") obey("leave");
    else return;
    event.preventDefault();
  };
  const isFolded = (parameter: Parameter) => !parameter.is_required && asText(cell.values[parameter.name]) === "";
  const folded = kind.parameters.filter(isFolded);
  const textOf = (name: string) => draft[name] ?? asText(cell.values[name]);
  const field = (parameter: Parameter) =>
    parameter.name === "source" && parameter.type === "text" ? (
      <Editor
        key={parameter.name}
        text={textOf("source")}
        language={cell.kind === "sql" || cell.kind === "python" ? cell.kind : "markdown"}
        label={parameter.label}
        names={names}
        problem={draft.source === undefined ? problemIn(asText(cell.values.source), cell.error) : undefined}
        onChange={(text) => type("source", text)}
        onCommand={obey}
      />
    ) : (
      <Field
        key={parameter.name}
        id={`${cell.id}-${parameter.name}`}
        parameter={parameter}
        text={textOf(parameter.name)}
        onChange={(text) => type(parameter.name, text)}
      />
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key works in every field of the form
    <div className={styles.form} onKeyDown={onKeyDown} data-form>
      {kind.parameters.filter((parameter) => !isFolded(parameter)).map(field)}
      {folded.length > 0 && (
        <details className={styles.more}>
          <summary>{count(folded.length, "more option")}</summary>
          <div className={styles.fields}>{folded.map(field)}</div>
        </details>
      )}
      {changed.length > 0 && (
        <div className={styles.save} data-unsaved>
          <button type="button" className="button" onClick={() => save()}>
            Save and run
          </button>
          <button type="button" className="button" onClick={forget}>
            Discard
          </button>
          <kbd>{keysFor("run")}</kbd>
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
