import { count } from "../text/words";
import styles from "./Offer.module.css";

type Props = { cells: number; column: string; isFiltered: boolean; onTake: () => void; onLeave: () => void };

/** After one cell was edited: the same for all that said the same. */
export function IdenticalOffer({ cells, column, isFiltered, onTake, onLeave }: Props) {
  return (
    <div className={styles.offer} role="status">
      <span>
        Apply to {count(cells, "identical value")} of {column}
        {isFiltered && " in all rows, filtered or not"}, too?
      </span>
      <button type="button" className="button" onClick={onTake}>
        Apply to all
      </button>
      <button type="button" className="button" onClick={onLeave}>
        Only here
      </button>
    </div>
  );
}
