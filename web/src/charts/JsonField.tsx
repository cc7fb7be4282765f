import { useEffect, useState } from "react";
import type { Json } from "../chart/themed";
import styles from "./Shelves.module.css";
import { readSpec, writeSpec } from "./shelves";

type Props = { spec: Json; problem: string | undefined; onChange: (spec: Json) => void };

/** What is typed stays as typed; once it is JSON the chart follows, and a shelf that changes writes it anew. */
export function JsonField({ spec, problem, onChange }: Props) {
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
