import { useState } from "react";
import type { Json } from "../chart/themed";
import { CopyButton } from "../ui/CopyButton";
import { Skeleton } from "../ui/Skeleton";
import { Sql } from "../ui/Sql";
import { type DrawnChart, useCode } from "./api";
import styles from "./CodePane.module.css";
import { writeSpec } from "./shelves";

const FORMS = ["JSON", "Altair", "SQL"] as const;
type Form = (typeof FORMS)[number];

/** The chart as text for other tools: its specification, Python for Altair, or the query of its marks. */
export function CodePane({ drawn, spec }: { drawn: DrawnChart; spec: Json }) {
  const [form, setForm] = useState<Form>("JSON");
  const code = useCode(drawn.chart);
  const text = form === "JSON" ? writeSpec(spec) : form === "Altair" ? code.data?.altair : code.data?.sql;
  return (
    <section className={styles.pane} aria-label="Chart as code">
      <div className={styles.bar}>
        <fieldset className={styles.forms}>
          <legend className="visually-hidden">Write the chart as</legend>
          {FORMS.map((each) => (
            <label key={each}>
              <input type="radio" name="chart-code" checked={form === each} onChange={() => setForm(each)} />
              {each}
            </label>
          ))}
        </fieldset>
        {text !== undefined && (
          <CopyButton className="button" label={`Copy ${form}`} text={text} what={`the chart as ${form}`} />
        )}
      </div>
      {text !== undefined ? (
        form === "SQL" ? (
          <Sql text={text} />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll a long line
          <pre className={styles.text} tabIndex={0}>
            <code>{text}</code>
          </pre>
        )
      ) : code.isError ? (
        <p role="alert">{code.error.message}</p>
      ) : (
        <Skeleton label="Writing the code" lines={6} />
      )}
    </section>
  );
}
