import { useState } from "react";
import type { Schemas } from "../api/client";
import type { Names } from "../editor/names";
import { ConditionField } from "./ConditionField";
import { EntriesField } from "./EntriesField";
import { fieldsOf } from "./entries";
import styles from "./Field.module.css";
import { plain } from "./hints";
import { MappingField } from "./MappingField";
import { columnOptions, datasetOf, optionsOf, written } from "./options";
import { Picker } from "./Picker";
import { shownValue } from "./pairs";
import { SheetEditsField } from "./SheetEditsField";
import { fileOf } from "./uploads";
import { useValueOptions } from "./useValueOptions";

type Parameter = Schemas["ParameterView"];
type Props = {
  id: string;
  /** The kind of the cell; outside of cells there is none. */
  cellKind?: string;
  parameter: Parameter;
  /** What any field of the form holds. */
  textOf: (parameter: string) => string;
  /** What an empty field says in grey. */
  hint: string;
  names: Names;
  onChange: (text: string) => void;
};

/** One parameter of a cell, other than its main text; its kind decides what the field offers. */
export function Field(props: Props) {
  const { id, parameter } = props;
  const isWide = ["mapping", "condition", "entries"].includes(parameter.kind) || isSheetEdits(props);
  return (
    <span className={styles.field} data-wide={isWide || undefined}>
      <label htmlFor={id} title={plain(parameter.label)} data-required={parameter.is_required || undefined}>
        {spaced(parameter.name)}
      </label>
      <span className={styles.entry}>
        <Entry {...props} />
      </span>
    </span>
  );
}

/** The name of a parameter as words: "null rate". */
function spaced(name: string): string {
  return name.replaceAll("_", " ");
}

function isSheetEdits({ cellKind, parameter }: Props): boolean {
  return cellKind === "sheet" && parameter.name === "operations";
}

function Entry(props: Props) {
  const { id, parameter, textOf, hint, names, onChange } = props;
  const { kind, name } = parameter;
  const label = plain(parameter.label);
  const text = textOf(name);
  const dataset = datasetOf(textOf("source"), names);
  // A value is JSON, so that a text that looks like a number stays a text; the names of a mapping are texts.
  const values = useValueOptions(dataset, comparedColumn(parameter, textOf), kind === "value" ? shownValue : String);
  if (isSheetEdits(props)) return <SheetEditsField {...{ id, text, hint, onChange }} dataset={textOf("source")} />;
  if (parameter.choices.length > 0 || kind === "flag")
    return (
      <select id={id} value={text} onChange={(event) => onChange(event.target.value)}>
        {(text === "" || !parameter.is_required) && <option value="">{text === "" ? hint : ""}</option>}
        {(kind === "flag" ? ["true", "false"] : parameter.choices).map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  if (kind === "path") return <PathEntry id={id} label={label} text={text} hint={hint} onChange={onChange} />;
  const shared = { id, text, hint, title: label, onChange };
  if (kind === "condition") return <ConditionField {...shared} dataset={dataset} />;
  if (kind === "mapping")
    return <MappingField {...shared} label={name} options={name === "columns" ? columnOptions(dataset) : values} />;
  if (kind === "entries") {
    const [fields, columns] = [fieldsOf(parameter, dataset), columnOptions(dataset)];
    return <EntriesField {...shared} label={name} fields={fields} columns={columns} />;
  }
  const options = kind === "value" ? values : optionsOf(kind, textOf("source"), names);
  const isMany = kind === "columns" || kind === "datasets";
  if (options.length > 0) return <Picker {...shared} isMany={isMany} options={options} isClosed={kind !== "value"} />;
  return (
    <input id={id} value={text} title={label} placeholder={hint} onChange={(event) => onChange(event.target.value)} />
  );
}

/** The column whose values a field offers: the one that the form names. */
function comparedColumn({ kind, name }: Parameter, textOf: (parameter: string) => string): string {
  if (kind !== "value" && !(kind === "mapping" && name !== "columns")) return "";
  return written(textOf("column"), false)[0] ?? written(textOf("columns"), true)[0] ?? "";
}

type PathProps = { id: string; label: string; text: string; hint: string; onChange: (text: string) => void };

/** The place of a file; of one that was uploaded, its name. */
function PathEntry({ id, label, text, hint, onChange }: PathProps) {
  const [isOpen, setOpen] = useState(false);
  const file = isOpen ? undefined : fileOf(text);
  return (
    <>
      <input
        id={id}
        value={file ?? text}
        readOnly={file !== undefined}
        title={file === undefined ? label : "The workspace keeps a copy of this file"}
        placeholder={hint}
        onChange={(event) => onChange(event.target.value)}
      />
      {file !== undefined && (
        <button type="button" className={styles.change} onClick={() => setOpen(true)}>
          Change
        </button>
      )}
    </>
  );
}
