import type { Json } from "../chart/themed";
import { type Field, isNumber, measureAxis, nameAxis, orderOf, withOrder } from "./parts";
import styles from "./Shelves.module.css";

type Props = { fields: Field[]; spec: Json; onChange: (spec: Json) => void };

/** What the names along an axis are ordered by: themselves, what is drawn, or another column. */
export function OrderShelf({ fields, spec, onChange }: Props) {
  const axis = nameAxis(spec, fields);
  if (axis === undefined) return null;
  const { by, isDown } = orderOf(spec, axis);
  return (
    <div className={styles.ordered}>
      <label className={styles.shelf}>
        Order
        <select
          value={by}
          onChange={(event) =>
            onChange(withOrder(spec, axis, event.target.value, event.target.value !== "" && (isDown || by === "")))
          }
        >
          <option value="">by name</option>
          <option value={measureAxis(spec, fields)}>by what is drawn</option>
          {fields.filter(isNumber).map(({ name }) => (
            <option key={name} value={`column ${name}`}>{`by ${name}`}</option>
          ))}
        </select>
      </label>
      {by !== "" && (
        <label>
          <input type="checkbox" checked={isDown} onChange={() => onChange(withOrder(spec, axis, by, !isDown))} />
          Largest first
        </label>
      )}
    </div>
  );
}
