import type { Dataset, Schemas } from "../api/client";
import { goTo } from "../state/place";
import { number, originWords } from "../text/words";
import { Icon } from "../ui/Icon";
import { RoleLine } from "./RoleLine";
import { SourceRows } from "./SourceRows";
import styles from "./StepCard.module.css";

type Step = Schemas["TraceStep"];

/** What one dataset contributed: the cells by the part they played, then the rows they stand in. */
export function StepCard({ step, datasets }: { step: Step; datasets: Dataset[] }) {
  const isCurrent = datasets.some((d) => d.name === step.dataset && d.version === step.version);
  const open = isCurrent
    ? (row: number, column?: string) =>
        goTo({ dataset: step.dataset, row, column: column ?? step.rows.columns[0] ?? "" })
    : undefined;
  const shown = step.rows.rids.length;
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        <Icon name={step.origin === "load" ? "file" : "sql"} size={14} />
        <span className={styles.dataset}>{step.dataset}</span>
        <span className={styles.origin}>{step.origin === "load" ? step.text : originWords(step.origin)}</span>
        {!isCurrent && <span className={styles.origin}>version {step.version}</span>}
      </div>
      {step.groups.map((group) => (
        <RoleLine key={`${group.role} ${group.column}`} group={group} onOpen={open} />
      ))}
      {shown > 0 && <SourceRows step={step} onOpen={open} />}
      {step.rows.count > shown && (
        <p className={styles.more}>
          The first {shown} of {number(step.rows.count)} rows.
        </p>
      )}
      {step.rows.count === 0 && <p className={styles.more}>No row of {step.dataset} took part.</p>}
    </li>
  );
}
