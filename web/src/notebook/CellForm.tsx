import type { KeyboardEvent } from "react";
import type { Kind, NotebookCell } from "../api/notebooks";
import { Editor } from "../editor/Editor";
import type { Names } from "../editor/names";
import { problemIn } from "../editor/problem";
import { keysFor } from "../state/keymap";
import { count } from "../text/words";
import styles from "./CellForm.module.css";
import { CellRefusal } from "./CellRefusal";
import { type CellCommand, commandWhileWriting } from "./commands";
import { Field } from "./Field";
import { hintOf, textHint } from "./hints";
import { offersOf } from "./offers";
import type { CellText } from "./useCellText";
import { asText } from "./values";

type Props = {
  cell: NotebookCell;
  kind: Kind;
  text: CellText;
  names: Names;
  onCommand: (command: CellCommand) => void;
};
type Parameter = Kind["parameters"][number];

/** A draft with more fields than this folds those that may be left open, as every other cell does. */
const FEW = 10;

/** What a cell says, one field for each parameter. */
export function CellForm({ cell, kind, text, names, onCommand }: Props) {
  const isDraft = cell.status === "draft";
  const onKeyDown = (event: KeyboardEvent) => {
    // An editor inside the form has its own keys and says so by preventing the default.
    if (event.isDefaultPrevented()) return;
    const command = commandWhileWriting(event);
    if (command === "run" || command === "runUpstream") onCommand(command);
    else if (event.key === "Escape") onCommand("leave");
    else return;
    event.preventDefault();
  };
  const showsAll = isDraft && kind.parameters.length <= FEW;
  const isFolded = (parameter: Parameter) =>
    !showsAll && !parameter.is_required && asText(cell.values[parameter.name]) === "";
  const folded = kind.parameters.filter(isFolded);
  const field = (parameter: Parameter) =>
    parameter.name === "source" && parameter.kind === "text" ? (
      <Editor
        key={parameter.name}
        text={text.textOf("source")}
        language={cell.kind === "sql" || cell.kind === "python" ? cell.kind : "markdown"}
        label={parameter.label}
        hint={textHint(cell.kind, names)}
        names={names}
        problem={text.isTyped("source") ? undefined : problemIn(asText(cell.values.source), cell.error)}
        onChange={(typed) => text.type("source", typed)}
        onCommand={onCommand}
      />
    ) : (
      <Field
        key={parameter.name}
        id={`${cell.id}-${parameter.name}`}
        parameter={parameter}
        text={text.textOf(parameter.name)}
        hint={(parameter.name === "name" ? text.suggestedName : undefined) ?? hintOf(parameter)}
        offers={offersOf(parameter.kind, text.textOf(parameter.name), text.textOf("source"), names)}
        onChange={(typed) => text.type(parameter.name, typed)}
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
      {text.isChanged && (
        <div className={styles.save} data-unsaved>
          <button type="button" className="button" onClick={() => text.save()}>
            {isDraft ? "Run" : "Save and run"}
          </button>
          <button type="button" className="button" onClick={text.discard}>
            Discard
          </button>
          <kbd>{keysFor("run")}</kbd>
        </div>
      )}
      {text.refusal && (
        <CellRefusal refusal={text.refusal} stored={asText(cell.values.source)} onSaveAnyway={text.saveAnyway} />
      )}
    </div>
  );
}
