import type { Json } from "../chart/themed";
import { dropOf } from "./drag";
import { type Field, isNumber, measureAxis, measuresOf, withMeasures } from "./parts";
import styles from "./Shelves.module.css";
import { shelfOf } from "./shelves";

type Props = { fields: Field[]; spec: Json; onChange: (spec: Json) => void };

/** Several measures along one axis, each a series by its name. */
export function MeasuresShelf({ fields, spec, onChange }: Props) {
  const axis = measureAxis(spec, fields);
  const known = measuresOf(spec);
  const held = shelfOf(spec, ["aes", axis]).value;
  const columns = known?.columns ?? (fields.some((each) => each.name === held && isNumber(each)) ? [held] : []);
  const others = fields.filter((each) => isNumber(each) && !columns.includes(each.name));
  const change = (next: string[]) => onChange(withMeasures(spec, axis, next, fields));
  if (columns.length === 0 || (known === undefined && others.length === 0)) return null;
  return (
    <div
      className={styles.group}
      data-shelf="measures"
      {...dropOf(({ column }) => others.some(({ name }) => name === column) && change([...columns, column]))}
    >
      <label className={styles.shelf}>
        Measures
        <select value="" onChange={(event) => change([...columns, event.target.value])}>
          <option value="">Add one…</option>
          {others.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {known && (
        <ul className={styles.chips} aria-label="Measures">
          {columns.map((name) => (
            <li key={name}>
              {name}
              <button
                type="button"
                aria-label={`Leave out ${name}`}
                onClick={() => change(columns.filter((each) => each !== name))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
