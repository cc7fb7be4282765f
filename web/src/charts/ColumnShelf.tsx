import type { Json } from "../chart/themed";
import { dragOf, dropOf } from "./drag";
import { dropped } from "./parts";
import styles from "./Shelves.module.css";
import { type Path, shelfOf, withShelf } from "./shelves";

type Props = { path: Path; label: string; columns: string[]; spec: Json; onChange: (spec: Json) => void };

/** Which column is seen as what: chosen from the list, or dragged here from the columns or from another shelf. */
export function ColumnShelf({ path, label, columns, spec, onChange }: Props) {
  const { value, isOther } = shelfOf(spec, path);
  const listed = value === "" || columns.includes(value) ? columns : [value, ...columns];
  return (
    <div className={styles.drop} data-shelf={path.join(".")} {...dropOf((each) => onChange(dropped(spec, each, path)))}>
      <label className={styles.shelf}>
        {label}
        <select
          value={isOther ? "\0" : value}
          onChange={(event) => onChange(withShelf(spec, path, event.target.value))}
        >
          <option value="">—</option>
          {isOther && <option value={"\0"}>Custom (in the JSON)</option>}
          {listed.map((column) => (
            <option key={column} value={column}>
              {column}
            </option>
          ))}
        </select>
      </label>
      {value !== "" && (
        <span
          className={styles.grip}
          title={`Drag ${value} to another shelf`}
          {...dragOf(value, path)}
          aria-hidden="true"
        >
          ⠿
        </span>
      )}
    </div>
  );
}
