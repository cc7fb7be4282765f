import { type FormEvent, useState } from "react";
import type { Dataset, Schemas } from "../api/client";
import { rowWords } from "../text/cellName";
import { show } from "../text/value";
import { count, sentence } from "../text/words";
import { PlaceLink } from "../ui/PlaceLink";
import { Skeleton } from "../ui/Skeleton";
import { useWhyNot } from "./api";
import { labelOf } from "./graph";
import styles from "./WhyNot.module.css";

type Props = {
  into: Schemas["GraphNode"];
  /** The labels of all it was made from. */
  sources: string[];
  /** The row that is followed, if one is. */
  from: Dataset | undefined;
  row: number | undefined;
  datasets: Dataset[];
};

/** Asks why a row that somebody expects is not there: which step left it out, and on what grounds. */
export function WhyNot({ into, sources, from, row, datasets }: Props) {
  const asked = useWhyNot();
  const [source, setSource] = useState(sources.at(-1) ?? "");
  const [where, setWhere] = useState("");
  if (sources.length === 0) return null;
  const follows = from !== undefined && row !== undefined && sources.includes(labelOf(from));
  const ask = (event: FormEvent) => {
    event.preventDefault();
    if (follows) asked.mutate({ into, source: labelOf(from), row });
    else if (where.trim() !== "") asked.mutate({ into, source, where });
  };
  return (
    <section aria-label="Why not" className={styles.why}>
      <h3 className={styles.title}>Is a row missing here?</h3>
      <form onSubmit={ask} className={styles.form}>
        {follows ? (
          <button type="submit" className="button" disabled={asked.isPending}>
            {`What became of ${rowWords(row)} of ${from.name}`}
          </button>
        ) : (
          <>
            <label>
              Rows of
              <select value={source} onChange={(event) => setSource(event.target.value)}>
                {sources.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            </label>
            <label>
              for which
              <input
                value={where}
                aria-label="Condition"
                placeholder="part = 'B-201'"
                spellCheck={false}
                onChange={(event) => setWhere(event.target.value)}
              />
            </label>
            <button type="submit" className="button" disabled={asked.isPending || where.trim() === ""}>
              Why not?
            </button>
          </>
        )}
      </form>
      {asked.isPending && <Skeleton label="Following the rows" lines={2} />}
      {asked.isError && (
        <p className={styles.problem} role="alert">
          {asked.error.message}
        </p>
      )}
      {asked.data && !asked.isPending && <Answer answer={asked.data} into={into} datasets={datasets} />}
    </section>
  );
}

type AnswerProps = { answer: Schemas["WhyNotAnswer"]; into: Schemas["GraphNode"]; datasets: Dataset[] };

function Answer({ answer, into, datasets }: AnswerProps) {
  const { source, matched, fates } = answer;
  if (matched === 0) return <p className={styles.note} role="status">{`No row of ${source.name} is like that.`}</p>;
  return (
    <div role="status">
      {matched > fates.length && (
        <p className={styles.note}>{`The first ${fates.length} of ${count(matched, "row")} that are like that:`}</p>
      )}
      <ul className={styles.fates}>
        {fates.map((fate) => (
          <li key={fate.row}>
            {fate.count > 0 ? (
              <>
                {`${sentence(rowWords(fate.row))} of ${source.name} is there: it is in `}
                <RowLink dataset={into} row={fate.rows[0] ?? 0} datasets={datasets} />
                {fate.count > 1 && ` and ${count(fate.count - 1, "other row")}`}.
              </>
            ) : (
              fate.losses.map((loss) => <Lost key={`${loss.dataset} ${loss.row} ${loss.into}`} loss={loss} />)
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

type RowLinkProps = { dataset: Schemas["DatasetVersion"]; row: number; datasets: Dataset[] };

/** A row, as a link where its version is the current one. */
function RowLink({ dataset, row, datasets }: RowLinkProps) {
  const current = datasets.find((each) => labelOf(each) === labelOf(dataset));
  const words = `${rowWords(row)} of ${dataset.name}`;
  if (current === undefined) return words;
  return (
    <PlaceLink className={styles.link} place={{ dataset: current.name, row, column: current.columns[0]?.name ?? "" }}>
      {words}
    </PlaceLink>
  );
}

/** Where a row was left out: the step, its condition, and what the row holds there. */
function Lost({ loss }: { loss: Schemas["LostRow"] }) {
  const values = Object.entries(loss.values);
  return (
    <>
      <p>{`${sentence(rowWords(loss.row))} of ${loss.dataset} did not get into ${loss.into}: ${loss.step}.`}</p>
      {loss.condition && <code className={styles.condition}>{loss.condition}</code>}
      {values.length > 0 && (
        <dl className={styles.values}>
          {values.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{show(value).text}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
