import { ROLE_WORDS } from "../text/words";
import { distinctValues, type RefGroup } from "./groupRefs";
import styles from "./RoleLine.module.css";

const MOST_SHOWN = 8;

type Props = {
  group: RefGroup;
  isDoubtful: (row: number) => boolean;
  onOpen: ((row: number, column: string) => void) | undefined;
};

/** "Aggregated from price: 0.05, null, 2.35", each value a way to its cell. */
export function RoleLine({ group, isDoubtful, onOpen }: Props) {
  const { verb, meaning } = ROLE_WORDS[group.role];
  const values = distinctValues(group, isDoubtful);
  const rest = values.length - MOST_SHOWN;
  return (
    <div className={styles.line}>
      <span className={styles.verb} title={meaning}>
        {verb} <strong>{group.column}</strong>
      </span>
      <span className={styles.values}>
        {values.slice(0, MOST_SHOWN).map(({ shown, isDoubtful, first, count }) => (
          <button
            key={first}
            type="button"
            className={styles.value}
            data-kind={shown.kind}
            data-doubtful={isDoubtful || undefined}
            disabled={onOpen === undefined}
            title={count === 1 ? `row ${first}` : `${count} rows, the first is row ${first}`}
            onClick={() => onOpen?.(first, group.column)}
          >
            {isDoubtful && <span className="visually-hidden">doubtful: </span>}
            {shown.text}
            {count > 1 && <span className={styles.times}> × {count}</span>}
          </button>
        ))}
        {rest > 0 && <span className={styles.rest}>and {rest} more</span>}
      </span>
    </div>
  );
}
