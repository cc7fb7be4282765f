import type { Schemas } from "../api/client";
import styles from "./Field.module.css";

type Props = {
  id: string;
  parameter: Schemas["KindParameter"];
  text: string;
  onChange: (text: string) => void;
};

/** One parameter of a cell, other than its main text. */
export function Field({ id, parameter, text, onChange }: Props) {
  return (
    <label className={styles.field} htmlFor={id} title={parameter.label}>
      <span>{parameter.name}</span>
      {parameter.choices.length > 0 || parameter.type === "flag" ? (
        <select id={id} value={text} onChange={(event) => onChange(event.target.value)}>
          {!parameter.is_required && <option value="" />}
          {(parameter.type === "flag" ? ["true", "false"] : parameter.choices).map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          value={text}
          placeholder={parameter.is_required ? "" : "optional"}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </label>
  );
}
