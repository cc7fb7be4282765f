import { CommitField } from "./CommitField";
import { type Field, type Filter, readEnd } from "./parts";
import styles from "./Shelves.module.css";

type Props = { field: Field | undefined; filter: Filter; onChange: (filter: Filter) => void };

/** The two ends between which values are drawn; an end that is empty is open. */
export function RangeField({ field, filter, onChange }: Props) {
  const { column } = filter;
  const [low, high] = filter.between ?? [null, null];
  return (
    <div className={styles.range}>
      <CommitField
        label={`${column} from`}
        value={low === null ? "" : String(low)}
        onCommit={(text) => onChange({ column, between: [readEnd(text, field), high] })}
      />
      <span>to</span>
      <CommitField
        label={`${column} to`}
        value={high === null ? "" : String(high)}
        onCommit={(text) => onChange({ column, between: [low, readEnd(text, field)] })}
      />
    </div>
  );
}
