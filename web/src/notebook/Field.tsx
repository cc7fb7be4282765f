import { useState } from "react";
import type { Schemas } from "../api/client";
import styles from "./Field.module.css";
import { fileOf } from "./uploads";

type Props = {
  id: string;
  parameter: Schemas["ParameterView"];
  text: string;
  /** What an empty field says in grey. */
  hint: string;
  /** The names that a field for a dataset or a column offers. */
  offers: readonly string[];
  onChange: (text: string) => void;
};

/** One parameter of a cell, other than its main text. */
export function Field({ id, parameter, text, hint, offers, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const file = parameter.kind === "path" && !isOpen ? fileOf(text) : undefined;
  return (
    <span className={styles.field}>
      <label htmlFor={id} title={parameter.label} data-required={parameter.is_required || undefined}>
        {parameter.name}
      </label>
      {parameter.choices.length > 0 || parameter.kind === "flag" ? (
        <select id={id} value={text} onChange={(event) => onChange(event.target.value)}>
          {(text === "" || !parameter.is_required) && <option value="">{text === "" ? hint : ""}</option>}
          {(parameter.kind === "flag" ? ["true", "false"] : parameter.choices).map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          value={file ?? text}
          readOnly={file !== undefined}
          title={file === undefined ? parameter.label : "The workspace keeps a copy of this file"}
          placeholder={hint}
          list={offers.length > 0 ? `${id}-offers` : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {offers.length > 0 && (
        <datalist id={`${id}-offers`}>
          {offers.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
      {file !== undefined && (
        <button type="button" className={styles.change} onClick={() => setOpen(true)}>
          Change
        </button>
      )}
    </span>
  );
}
