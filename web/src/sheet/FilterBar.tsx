import { count } from "../text/words";
import { Icon } from "../ui/Icon";
import styles from "./FilterBar.module.css";
import { type Filter, filterWords } from "./filters";

type Props = {
  filters: readonly Filter[];
  shown: number;
  total: number;
  onEdit: (at: number) => void;
  onAdd: () => void;
  onRemove: (at: number) => void;
  onClear: () => void;
  onKeepOnly: () => void;
  /** Columns that are not shown. */
  hidden: readonly string[];
  onShow: () => void;
};

/** The filters as chips: a click edits one; all rows come back with one button, and none was ever lost. */
export function FilterBar(props: Props) {
  const { filters, shown, total, onEdit, onAdd, onRemove, onClear, onKeepOnly, hidden, onShow } = props;
  return (
    <div className={styles.bar} role="group" aria-label="Filters">
      {filters.map((filter, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a filter is known by its place
        <span key={i} className={styles.chip}>
          <button type="button" onClick={() => onEdit(i)}>
            {filterWords(filter)}
          </button>
          <button type="button" aria-label={`Remove the filter ${filterWords(filter)}`} onClick={() => onRemove(i)}>
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
      <button type="button" className={styles.add} onClick={onAdd}>
        + Filter
      </button>
      {filters.length > 0 && (
        <>
          <button type="button" className={styles.add} onClick={onClear}>
            All rows
          </button>
          <span className={styles.told}>
            Looking at {count(shown, "row")} of {total.toLocaleString("en")}.
          </span>
          <button
            type="button"
            className={styles.add}
            onClick={onKeepOnly}
            title="An edit: the other rows leave the sheet"
          >
            Keep only these
          </button>
        </>
      )}
      {hidden.length > 0 && (
        <span className={styles.hidden}>
          <span title={hidden.join(", ")}>{`${count(hidden.length, "hidden column")}: ${hidden.join(", ")}`}</span>
          <button type="button" className={styles.add} onClick={onShow}>
            Show
          </button>
        </span>
      )}
    </div>
  );
}
