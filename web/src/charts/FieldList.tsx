import { dragOf, dropOf } from "./drag";
import { type Field, isNumber, isRanged } from "./parts";
import styles from "./Shelves.module.css";
import type { Path } from "./shelves";

type Props = { fields: Field[]; onTakeBack: (from: Path) => void };

/** The columns, to be dragged onto shelves. What is dragged back here leaves its shelf. */
export function FieldList({ fields, onTakeBack }: Props) {
  return (
    <ul
      className={styles.fields}
      aria-label="Columns to drag onto shelves"
      {...dropOf(({ from }) => from && onTakeBack(from))}
    >
      {fields.map((field) => (
        <li key={field.name} className={styles.field} title={`${field.name}: ${field.type}`} {...dragOf(field.name)}>
          <span aria-hidden="true">{isNumber(field) ? "#" : isRanged(field) ? "◷" : "A"}</span> {field.name}
        </li>
      ))}
    </ul>
  );
}
