import type { CellReport, Dataset } from "../api/client";
import { count, fileWords, originWords, sentence } from "../text/words";
import { CopyButton } from "../ui/CopyButton";
import { PlaceLink } from "../ui/PlaceLink";
import { Section } from "./Section";
import { StepCard } from "./StepCard";
import styles from "./TraceSection.module.css";

type Props = { report: CellReport; dataset: Dataset; datasets: Dataset[] };

/** The way back, step by step: direct inputs first, what was loaded last. */
export function TraceSection({ report, dataset, datasets }: Props) {
  const hasSteps = report.steps.length > 0;
  return (
    <Section title="Where it came from" {...(hasSteps && { note: count(report.steps.length, "step") })}>
      {hasSteps ? (
        <ol className={styles.steps}>
          {report.steps.map((step) => (
            <StepCard key={`${step.dataset}@${step.version}`} step={step} datasets={datasets} />
          ))}
        </ol>
      ) : (
        <p className={styles.source}>
          {dataset.origin === "load" ? fileWords(dataset.text, report.line) : originWords(dataset.origin)}
          {dataset.origin !== "load" && dataset.text && <code>{dataset.text}</code>}
        </p>
      )}
      <p className={styles.explore}>
        <PlaceLink place={{ view: "lineage", dataset: dataset.name, row: report.row, column: report.column }}>
          Explore lineage
        </PlaceLink>
        <CopyButton className={styles.copy} label="Copy as Python" text={asPython(report)} />
      </p>
      {hasSteps && (
        <details className={styles.strategy}>
          <summary>{report.exact ? "Exact lineage" : "Coarse lineage: the true inputs are among these"}</summary>
          {sentence(report.strategy)}
        </details>
      )}
    </Section>
  );
}

/** The same question in the library, which counts row ids from 0. */
function asPython({ dataset, row, column }: CellReport): string {
  return `ws[${JSON.stringify(dataset)}].lineage.cell(${row}, ${JSON.stringify(column)})`;
}
