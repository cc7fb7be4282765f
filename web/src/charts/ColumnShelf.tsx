import type { Json } from "../chart/themed";
import styles from "./Shelves.module.css";
import { type Path, shelfOf, withShelf } from "./shelves";

type Props = { path: Path; label: string; columns: string[]; spec: Json; onChange: (spec: Json) => void };

/** Which column is seen as what. */
export function ColumnShelf({ path, label, columns, spec, onChange }: Props) {
  const { value, isOther } = shelfOf(spec, path);
  const listed = value === "" || columns.includes(value) ? columns : [value, ...columns];
  return (
    <label className={styles.shelf}>
      {label}
      <select value={isOther ? "\0" : value} onChange={(event) => onChange(withShelf(spec, path, event.target.value))}>
        <option value="">—</option>
        {isOther && <option value={"\0"}>Custom (in the JSON)</option>}
        {listed.map((column) => (
          <option key={column} value={column}>
            {column}
          </option>
        ))}
      </select>
    </label>
  );
}
