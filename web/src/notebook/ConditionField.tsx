import { useState } from "react";
import type { NamedDataset } from "../editor/names";
import styles from "./ConditionField.module.css";
import { conditionSql, needsValue, OPERATORS, type Operator, operatorsFor, withCondition } from "./conditionSql";
import { columnOptions } from "./options";
import { Picker } from "./Picker";
import { useValueOptions } from "./useValueOptions";

type Props = {
  id: string;
  text: string;
  hint: string;
  title: string;
  dataset: NamedDataset | undefined;
  onChange: (text: string) => void;
};

/** A condition in SQL; below it one is put together from a column, a comparison and a value. */
export function ConditionField({ id, text, hint, title, dataset, onChange }: Props) {
  const [column, setColumn] = useState("");
  const [chosen, setOperator] = useState<Operator>("is");
  const [value, setValue] = useState("");
  const type = dataset?.columns.find(({ name }) => name === column)?.type;
  const operators = operatorsFor(type ?? "string");
  const operator = operators.includes(chosen) ? chosen : "is";
  const values = useValueOptions(dataset, column);
  const isReady = type !== undefined && (value !== "" || !needsValue(operator));
  const use = () => {
    onChange(withCondition(text, conditionSql(column, type ?? "string", operator, value)));
    setValue("");
  };
  return (
    <span className={styles.condition}>
      <input id={id} value={text} title={title} placeholder={hint} onChange={(event) => onChange(event.target.value)} />
      {dataset && (
        <span className={styles.builder}>
          <Picker
            id={`${id}-column`}
            label="Column to compare"
            text={column}
            hint="column"
            isMany={false}
            options={columnOptions(dataset)}
            isClosed
            onChange={setColumn}
          />
          <select
            aria-label="Comparison"
            value={operator}
            onChange={(event) => setOperator(event.target.value as Operator)}
          >
            {operators.map((each) => (
              <option key={each} value={each}>
                {OPERATORS[each]}
              </option>
            ))}
          </select>
          {needsValue(operator) && (
            <Picker
              id={`${id}-value`}
              label="Value to compare with"
              text={value}
              hint="value"
              isMany={false}
              options={values}
              onChange={setValue}
            />
          )}
          <button type="button" className="button" disabled={!isReady} onClick={use}>
            {text.trim() === "" ? "Use" : "And"}
          </button>
        </span>
      )}
    </span>
  );
}
