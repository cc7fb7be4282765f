import { useState } from "react";
import type { DrawnChart } from "../charts/api";
import { MarkChart, type Ring } from "../charts/MarkChart";
import { count } from "../text/words";
import { type Clause, type Preview, useOverlap, usePreview } from "./api";
import styles from "./Compared.module.css";
import { wordsOf } from "./clauses";
import { linesOf, overlapWords } from "./compared";
import type { Marking } from "./marking";

type Props = {
  drawn: DrawnChart;
  question: string;
  one: Clause[];
  other: Clause[];
  keepsOnly: boolean;
  marking: Marking;
  words: string[];
  values: (number | null)[];
  /** One of the two is taken, and stays alone. */
  onChoose: (clauses: Clause[]) => void;
  onEnd: () => void;
};

/** Two answers side by side: the chart under each of them over the original, and what each does in numbers. */
export function Compared(props: Props) {
  const { drawn, question, one, other, keepsOnly, marking, words, values, onChoose, onEnd } = props;
  const [cursor, setCursor] = useState<number>();
  const previews = [usePreview(question, one, keepsOnly).data, usePreview(question, other, keepsOnly).data];
  const overlap = useOverlap(question, one, other).data;
  const sides = [
    { name: "A", clauses: one, preview: previews[0] },
    { name: "B", clauses: other, preview: previews[1] },
  ];
  const rings = new Map<number, Ring>(marking.roles);
  const how = keepsOnly ? "only" : "without";
  return (
    <section className={styles.compared} aria-label="Two answers side by side">
      <div className={styles.sides}>
        {sides.map(({ name, clauses, preview }) => (
          <section key={name} className={styles.side} data-side={name} aria-label={`Answer ${name}`}>
            <p>
              <b>{name}</b> <strong>{phraseOf(clauses)}</strong>
            </p>
            <MarkChart
              spec={drawn.vega}
              label={`Chart ${drawn.marks.name}, ${how} the rows of ${name}; arrow keys walk the marks`}
              isOverlaid
              rows={preview?.rows ?? undefined}
              rings={rings}
              cursor={cursor}
              onCursor={setCursor}
              onPick={setCursor}
            />
            <p className={styles.taken}>
              {preview ? `${count(preview.count, "row")} ${keepsOnly ? "kept" : "removed"}` : " "}
            </p>
            <button type="button" className="button" onClick={() => onChoose(clauses)}>
              {`Choose ${name}`}
            </button>
          </section>
        ))}
      </div>
      <p className={styles.overlap} role="status">
        {overlap ? overlapWords(overlap) : ""}
      </p>
      <Numbers {...{ marking, words, values, cursor, how }} previews={previews} />
      <button type="button" className="button" onClick={onEnd}>
        Stop comparing
      </button>
    </section>
  );
}

type NumbersProps = Pick<Props, "marking" | "words" | "values"> & {
  cursor: number | undefined;
  how: string;
  previews: (Preview | undefined)[];
};

function Numbers({ marking, words, values, cursor, how, previews: [one, other] }: NumbersProps) {
  if (!one || !other) return null;
  return (
    <table className={styles.numbers}>
      <caption className="visually-hidden">What the two answers do</caption>
      <thead>
        <tr>
          <th scope="col">Mark</th>
          <th scope="col">before</th>
          <th scope="col">{`${how} A`}</th>
          <th scope="col">{`${how} B`}</th>
        </tr>
      </thead>
      <tbody>
        {linesOf(marking, words, values, one.values, other.values).map((line) => (
          <tr
            key={line.words}
            data-mean={line.mark === undefined || undefined}
            data-cursor={(line.mark !== undefined && line.mark === cursor) || undefined}
          >
            <th scope="row">{line.words}</th>
            <td>{short(line.before)}</td>
            <td>{short(line.after[0])}</td>
            <td>{short(line.after[1])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const SHORT = new Intl.NumberFormat("en", { maximumSignificantDigits: 5 });

function short(value: number | null): string {
  return value === null ? "nothing left" : SHORT.format(value);
}

/** A predicate in a few words. */
export function phraseOf(clauses: Clause[]): string {
  return clauses.map(wordsOf).join(" and ");
}
