import { useEffect, useState } from "react";
import type { Dataset } from "../api/client";
import type { Json } from "../chart/themed";
import styles from "./Shelves.module.css";
import { CHANNELS, GEOMS, readSpec, type Shelf, STATS, shelfOf, withShelf, writeSpec } from "./shelves";

type Props = { dataset: Dataset; spec: Json; problem: string | undefined; onChange: (spec: Json) => void };

const WORDS: Record<Shelf, string> = {
  x: "X",
  y: "Y",
  color: "Colour",
  size: "Size",
  facet: "Panels by",
  stat: "Computed",
  geom: "Drawn as",
};

/** The chart as shelves with a column each, and as the JSON that says the same and more. */
export function Shelves({ dataset, spec, problem, onChange }: Props) {
  const columns = dataset.columns.map(({ name }) => name);
  const shelf = (name: Shelf, options: string[], open: string) => {
    const { value, isOther } = shelfOf(spec, name);
    const listed = value === "" || options.includes(value) ? options : [value, ...options];
    return (
      <label key={name} className={styles.shelf}>
        {WORDS[name]}
        <select
          value={isOther ? "\0" : value}
          onChange={(event) => onChange(withShelf(spec, name, event.target.value))}
        >
          <option value="">{open}</option>
          {isOther && <option value={"\0"}>as the JSON says</option>}
          {listed.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      </label>
    );
  };
  return (
    <>
      <fieldset className={styles.shelves}>
        <legend>Shelves</legend>
        {[...CHANNELS, "facet" as const].map((name) => shelf(name, columns, "—"))}
        {shelf("stat", STATS, "by the columns")}
        {shelf("geom", GEOMS, "by the columns")}
      </fieldset>
      <JsonField spec={spec} problem={problem} onChange={onChange} />
    </>
  );
}

type JsonProps = { spec: Json; problem: string | undefined; onChange: (spec: Json) => void };

/** What is typed stays as typed; once it is JSON the chart follows, and a shelf that changes writes it anew. */
function JsonField({ spec, problem, onChange }: JsonProps) {
  const [text, setText] = useState(() => writeSpec(spec));
  const read = readSpec(text);
  const typed = "spec" in read ? JSON.stringify(read.spec) : undefined;
  const said = JSON.stringify(spec);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change from outside writes the text anew
  useEffect(() => {
    if (typed !== said) setText(writeSpec(spec));
  }, [said]);
  const wrong = "problem" in read ? read.problem : problem;
  return (
    <label className={styles.json}>
      Specification
      <textarea
        value={text}
        spellCheck={false}
        rows={Math.min(18, text.split("\n").length + 1)}
        aria-invalid={wrong !== undefined}
        onKeyDown={(event) => event.stopPropagation()}
        onChange={(event) => {
          setText(event.target.value);
          const next = readSpec(event.target.value);
          if ("spec" in next) onChange(next.spec);
        }}
      />
      {wrong && (
        <span className={styles.problem} role="alert">
          {wrong}
        </span>
      )}
    </label>
  );
}
