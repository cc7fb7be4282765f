import { useState } from "react";
import { ApiError } from "../api/client";
import type { Kind } from "../api/notebooks";
import { Sql } from "../ui/Sql";
import styles from "./CellEffect.module.css";
import { EffectRows } from "./EffectRows";
import { useCellPreview } from "./useCellPreview";

type Props = {
  notebook: string;
  cell: string;
  kind: Kind;
  values: Record<string, unknown>;
  /** Whether something is typed that is not kept yet: then the effect is shown without being asked for. */
  isLive: boolean;
  /** Whether somebody has begun to fill it in: before that, what is missing is no mistake. */
  isTyped: boolean;
};
type Part = "effect" | "sql" | "python";

/** What a cell would do to the first rows, and the cell as SQL and as Python; nothing of it is kept. */
export default function CellEffect({ notebook, cell, kind, values, isLive, isTyped }: Props) {
  const [asked, setAsked] = useState<Part | "none">();
  const part = asked ?? (kind.has_preview ? (isLive ? "effect" : "sql") : "python");
  const { data, isPlaceholderData, isFetching, error } = useCellPreview(notebook, cell, values, part !== "none");
  const parts: [Part, string][] = [
    ...(kind.has_preview ? [["effect", "Preview"] as [Part, string]] : []),
    ...(kind.has_preview ? [["sql", "As SQL"] as [Part, string]] : []),
    ["python", "As Python"],
  ];
  const problem = error instanceof ApiError ? error : data?.problem;
  return (
    <section className={styles.effect} aria-label="Effect of the cell">
      <div className={styles.head}>
        {/* biome-ignore lint/a11y/useSemanticElements: buttons in a row, not fields of the form */}
        <div className="segments" role="group" aria-label="Show the cell as">
          {parts.map(([each, label]) => (
            <button
              key={each}
              type="button"
              aria-pressed={part === each}
              onClick={() => setAsked(part === each ? "none" : each)}
            >
              {label}
            </button>
          ))}
        </div>
        {part === "effect" && (isFetching || isPlaceholderData) && <span role="status">Working out the effect…</span>}
      </div>
      {part === "effect" && problem && isTyped && (
        <p className={styles.problem}>
          {problem.message} {problem.hint}
        </p>
      )}
      {part === "effect" && !problem && data?.preview && (
        <EffectRows preview={data.preview} isOld={isPlaceholderData} />
      )}
      {part === "sql" && data && (data.sql ? <Sql text={data.sql} /> : <p>{noSql(data.problem?.message)}</p>)}
      {part === "python" && data && <pre className={styles.code}>{data.python}</pre>}
    </section>
  );
}

function noSql(problem: string | undefined): string {
  return problem ?? "No single query says what this cell does.";
}
