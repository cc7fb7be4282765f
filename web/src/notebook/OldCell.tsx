import type { NotebookCell } from "../api/notebooks";
import { hasOwnSize } from "../chart/fitted";
import { Sql } from "../ui/Sql";
import { Display } from "./Display";
import styles from "./OldVersion.module.css";
import { PastRows } from "./PastRows";
import { titleOf } from "./title";
import { fileOf } from "./uploads";
import { asText } from "./values";

/** A cell of an earlier version, to read: what it said, and what it made and showed then. */
export function OldCell({ cell }: { cell: NotebookCell }) {
  const hasResults = cell.displays.length > 0 || cell.datasets.length > 0;
  const isNote = cell.kind === "markdown";
  return (
    <section className={styles.cell} aria-label={`${titleOf(cell)}, ${cell.kind}`}>
      <p className={styles.kind}>{cell.kind}</p>
      {!(isNote && hasResults) &&
        Object.entries(cell.values).map(([name, value]) => (
          <OldValue key={name} kind={cell.kind} name={name} value={value} />
        ))}
      {cell.error && <p className={styles.error}>{cell.error.message}</p>}
      {hasResults && (
        <div className={styles.results}>
          {cell.status === "stale" && (
            <p className={styles.value}>What it read has changed since. This is its last result.</p>
          )}
          {cell.displays.map((display, number) => (
            <Display
              // biome-ignore lint/suspicious/noArrayIndexKey: outputs have no other name than their place
              key={number}
              display={display}
              isNote={isNote}
              isFitted={cell.kind === "chart" && !hasOwnSize(cell.values.spec)}
              label="Chart"
            />
          ))}
          {cell.datasets.map((dataset) => (
            <PastRows key={dataset.name} dataset={dataset} isFolded={cell.kind === "chart"} />
          ))}
        </div>
      )}
      {!hasResults && !cell.error && cell.status !== "ready" && cell.status !== "draft" && (
        <p className={styles.value}>No result of this version is kept.</p>
      )}
    </section>
  );
}

function OldValue({ kind, name, value }: { kind: string; name: string; value: unknown }) {
  if (name !== "source") return <p className={styles.value}>{`${name}: ${asText(value)}`}</p>;
  if (kind === "sql") return <Sql text={asText(value)} />;
  return <pre className={styles.source}>{fileOf(asText(value)) ?? asText(value)}</pre>;
}
