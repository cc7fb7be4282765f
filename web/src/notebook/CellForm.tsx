import { type KeyboardEvent, lazy, Suspense } from "react";
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
import { isComplete } from "./isComplete";
import type { CellText } from "./useCellText";
import { asText } from "./values";

const CellEffect = lazy(() => import("./CellEffect"));

type Props = {
  notebook: string;
  cell: NotebookCell;
  kind: Kind;
  text: CellText;
  names: Names;
  /** Whether the cell is shown as SQL and as Python below its fields. */
  showsCode: boolean;
  onCommand: (command: CellCommand) => void;
};
type Parameter = Kind["parameters"][number];

/** A draft with more fields than this folds those that may be left open, as every other cell does. */
const FEW = 10;

/** What a cell says, one field for each parameter. */
export function CellForm({ notebook, cell, kind, text, names, showsCode, onCommand }: Props) {
  const isDraft = cell.status === "draft";
  const values = text.currentValues();
  // Filled in, but not run yet.
  const isOpen = text.isChanged || (isDraft && isComplete(kind, values));
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
  const shown = kind.parameters.filter((parameter) => !isFolded(parameter));
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
        cellKind={cell.kind}
        parameter={parameter}
        textOf={text.textOf}
        hint={(parameter.name === "name" ? text.suggestedName : undefined) ?? hintOf(parameter)}
        names={names}
        onChange={(typed) => text.type(parameter.name, typed)}
      />
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key works in every field of the form
    <div className={styles.form} onKeyDown={onKeyDown} data-form data-draft={isDraft || undefined}>
      {shown.map(field)}
      {folded.length > 0 && (
        // Where nothing but the dataset must be named, the choice is among the rest.
        <details className={styles.more} open={isDraft && shown.length === 1}>
          <summary>{count(folded.length, "more option")}</summary>
          <div className={styles.fields}>{folded.map(field)}</div>
        </details>
      )}
      {(showsCode || (kind.has_preview && isOpen)) && isComplete(kind, values) && (
        <Suspense>
          <CellEffect
            notebook={notebook}
            cell={cell.id}
            kind={kind}
            values={values}
            isLive={isOpen}
            isTyped={text.isChanged}
          />
        </Suspense>
      )}
      {isOpen && (
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
        <CellRefusal
          refusal={text.refusal}
          stored={asText(cell.values.source)}
          onSaveAnyway={text.saveAnyway}
          onTakeTheirs={text.discard}
        />
      )}
    </div>
  );
}
