import { number } from "../text/words";
import type { Clause, Facet } from "./api";
import { isMet, withBar } from "./clauses";
import styles from "./Facets.module.css";

type Props = {
  facets: Facet[];
  leftOut: Record<string, string>;
  ticked: ReadonlySet<string>;
  clauses: Clause[];
  onTick: (column: string, isTicked: boolean) => void;
  onClauses: (clauses: Clause[]) => void;
};

/** The columns that may explain: each with how it is spread; what is locked or clicked is lit in it. */
export function Facets({ facets, leftOut, ticked, clauses, onTick, onClauses }: Props) {
  return (
    <section className={styles.facets} aria-label="Columns that may explain">
      <h2>May explain it</h2>
      {facets.map((facet) => {
        const tallest = Math.max(1, ...facet.bars.map((bar) => bar.count));
        const clause = clauses.find((each) => each.column === facet.column);
        const isNamed = facet.bars.some((bar) => bar.low === null);
        return (
          <div key={facet.column} className={styles.facet} data-off={!ticked.has(facet.column) || undefined}>
            <label>
              <input
                type="checkbox"
                checked={ticked.has(facet.column)}
                onChange={(event) => onTick(facet.column, event.target.checked)}
              />
              {facet.column}
            </label>
            {facet.why_not && <p className={styles.why}>{facet.why_not}</p>}
            <div className={isNamed ? styles.named : styles.bars}>
              {facet.bars.map((bar) => (
                <button
                  key={bar.label}
                  type="button"
                  className={styles.bar}
                  aria-pressed={clause !== undefined && isMet(bar, clause)}
                  aria-label={`${facet.column} ${bar.label}, ${number(bar.count)} rows`}
                  title={`${bar.label}: ${number(bar.count)} rows`}
                  onClick={() => onClauses(withBar(clauses, facet.column, bar))}
                >
                  <span
                    className={styles.fill}
                    style={
                      isNamed
                        ? { width: `${(100 * bar.count) / tallest}%` }
                        : { height: `${(100 * bar.count) / tallest}%` }
                    }
                  />
                  {isNamed && <em>{bar.label}</em>}
                </button>
              ))}
            </div>
          </div>
        );
      })}
      {Object.keys(leftOut).length > 0 && (
        <dl className={styles.left}>
          {Object.entries(leftOut).map(([column, why]) => (
            <div key={column}>
              <dt>{column}</dt>
              <dd>{why}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
