import type { Schemas } from "../api/client";
import { rowWords } from "../text/cellName";
import { show } from "../text/value";
import { count, number, ROLE_WORDS } from "../text/words";
import styles from "./RoleLine.module.css";

const MOST_SHOWN = 8;

type Props = {
  group: Schemas["InputGroup"];
  onOpen: ((row: number, column: string) => void) | undefined;
};

/** "Aggregated from price: 0.05, null, 2.35", each value a way to its first cell, with how many cells have it. */
export function RoleLine({ group, onOpen }: Props) {
  const { verb, meaning } = ROLE_WORDS[group.role];
  const values = group.values.slice(0, MOST_SHOWN);
  const rest = group.distinct - values.length;
  return (
    <div className={styles.line}>
      <span className={styles.verb} title={meaning}>
        {verb} <strong>{group.column}</strong>
      </span>
      <span className={styles.values}>
        {values.map(({ value, row, count: rows, is_doubtful: isDoubtful }) => {
          const shown = show(value);
          return (
            <button
              key={row}
              type="button"
              className={styles.value}
              data-kind={shown.kind}
              data-doubtful={isDoubtful || undefined}
              disabled={onOpen === undefined}
              title={rows === 1 ? rowWords(row) : `${count(rows, "row")}, the first is ${rowWords(row)}`}
              onClick={() => onOpen?.(row, group.column)}
            >
              {isDoubtful && <span className="visually-hidden">doubtful: </span>}
              {shown.text}
              {rows > 1 && <span className={styles.times}> × {number(rows)}</span>}
            </button>
          );
        })}
        {rest > 0 && <span className={styles.rest}>and {count(rest, "more value")}</span>}
      </span>
    </div>
  );
}
