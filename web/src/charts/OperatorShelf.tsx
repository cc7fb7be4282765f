import type { Json } from "../chart/themed";
import { type Path, readCall, withCall, withOption } from "./calls";
import { findOperator, type Operator, optionsOf } from "./grammar";
import { OptionField } from "./OptionField";
import styles from "./Shelves.module.css";

type Props = { path: Path; label: string; operators: Operator[]; spec: Json; onChange: (spec: Json) => void };

/** Which operator a chart uses at a place, with a form for its options; one that is unknown has a form, too. */
export function OperatorShelf({ path, label, operators, spec, onChange }: Props) {
  const call = readCall(spec, path);
  const operator = findOperator(operators, call.name);
  const isListed = call.name === "" || operators.some(({ name }) => name === call.name);
  const options = optionsOf(operator, call);
  return (
    <div className={styles.operator}>
      <label className={styles.shelf}>
        {label}
        <select
          value={call.isOther ? "\0" : call.name}
          onChange={(event) => onChange(withCall(spec, path, event.target.value))}
        >
          <option value="">Auto</option>
          {call.isOther && <option value={"\0"}>Custom (in the JSON)</option>}
          {!isListed && <option value={call.name}>{call.name}</option>}
          {operators.map(({ name, title }) => (
            <option key={name} value={name} title={title}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {operator && <p className={styles.title}>{operator.title.replaceAll("`", "")}</p>}
      {options.length > 0 && (
        <details className={styles.fold} open={operator === undefined || undefined}>
          <summary>{`Options of ${call.name || label}`}</summary>
          <div className={styles.folded}>
            {options.map((option) => (
              <OptionField
                key={`${call.name} ${option.name}`}
                id={`${path.join("-")}-${option.name}`}
                option={option}
                value={call.options[option.name]}
                onChange={(value) => onChange(withOption(spec, path, option.name, value))}
              />
            ))}
          </div>
        </details>
      )}
    </div>
  );
}
