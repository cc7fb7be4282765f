import { count, number } from "../text/words";
import styles from "./Answers.module.css";
import type { Answer, Clause, Search } from "./api";
import { SingleRows } from "./SingleRows";
import { isAt, nameOf, SCALE } from "./scale";

type Props = {
  search: Search;
  /** The dataset whose rows are behind the marks. */
  input: string;
  at: number | undefined;
  locked: string | undefined;
  /** What the locked one is compared with. */
  beside: Clause[] | undefined;
  canCompare: boolean;
  onAt: (at: number | undefined) => void;
  onHover: (answer: Answer | undefined) => void;
  onLock: (answer: Answer) => void;
  onCompare: (answer: Answer) => void;
};

/** What was found, broad to pinpoint: each answer with what it does to the marks, in their own units. */
export function Answers(props: Props) {
  const { search, input, at, locked, beside, canCompare, onAt, onHover, onLock, onCompare } = props;
  const { answers, state, reason } = search;
  const shown = at === undefined ? answers : answers.filter((each) => isAt(each, at, answers));
  if (state === "none") return null;
  return (
    <section className={styles.answers} aria-label="Answers">
      <header>
        <h2>{state === "running" ? "Found so far" : "Answers"}</h2>
        <span role="status" className={styles.state}>
          {stateWords(search)}
        </span>
      </header>
      {answers.length > 1 && (
        <fieldset className="segments" data-small>
          <legend className="visually-hidden">From broad to pinpoint</legend>
          <button type="button" aria-pressed={at === undefined} onClick={() => onAt(undefined)}>
            All
          </button>
          {SCALE.map((each) => (
            <button
              key={each.name}
              type="button"
              title={each.meaning}
              aria-pressed={at === each.at}
              onClick={() => onAt(each.at)}
            >
              {each.name}
            </button>
          ))}
        </fieldset>
      )}
      {reason && (
        <p className={styles.reason} role={state === "failed" ? "alert" : undefined}>
          {reason}
        </p>
      )}
      {search.few_rows && <SingleRows few={search.few_rows} input={input} />}
      <ol className={styles.list}>
        {shown.map((answer) => (
          <li key={answer.sql}>
            <button
              type="button"
              className={styles.answer}
              aria-pressed={answer.sql === locked}
              onPointerEnter={() => onHover(answer)}
              onPointerLeave={() => onHover(undefined)}
              onFocus={() => onHover(answer)}
              onBlur={() => onHover(undefined)}
              onClick={() => onLock(answer)}
            >
              <span className={styles.head}>
                <strong>{answer.phrase}</strong>
                <em>{nameOf(answer)}</em>
              </span>
              <Effect answer={answer} />
              <span className={styles.sentence}>{answer.sentence}</span>
              <span className={styles.why}>
                {count(answer.rows, "row")}
                {answer.p_value !== null && ` · ${chanceWords(answer.p_value)}`}
                {answer.alternatives.length > 0 && ` · the same rows: ${answer.alternatives.slice(0, 2).join("; ")}`}
              </span>
            </button>
            {canCompare && answer.sql !== locked && (
              <button
                type="button"
                className={styles.compare}
                aria-pressed={answer.clauses === beside}
                aria-label={`Compare with ${answer.phrase}`}
                onClick={() => onCompare(answer)}
              >
                Compare
              </button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The mean of the odd marks before and after, as a bar that shrinks. */
function Effect({ answer }: { answer: Answer }) {
  const odd = answer.effect.filter(({ role }) => role === "outlier");
  const before = mean(odd.map((each) => each.before));
  const after = mean(odd.map((each) => each.after));
  if (before === undefined || after === undefined) return null;
  const most = Math.max(Math.abs(before), Math.abs(after), 1e-300);
  return (
    <span className={styles.effect} aria-hidden="true">
      <span className={styles.before} style={{ width: `${(100 * Math.abs(before)) / most}%` }} />
      <span className={styles.after} style={{ width: `${(100 * Math.abs(after)) / most}%` }} />
    </span>
  );
}

function mean(values: (number | null)[]): number | undefined {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function chanceWords(p: number): string {
  return p < 0.01 ? "p < 0.01" : `p = ${p.toFixed(2)}`;
}

function stateWords({ state, seconds, answers, few_rows }: Search): string {
  if (state === "running") return `searching, ${number(Math.round(seconds))} s`;
  if (state === "failed") return "failed";
  const single = few_rows ? `but ${count(few_rows.rows.length, "single row")}` : "";
  const found = answers.length === 0 ? `nothing systematic ${single}`.trim() : count(answers.length, "answer");
  return `${found} in ${seconds.toFixed(1)} s${state === "stopped" ? ", stopped" : ""}`;
}
