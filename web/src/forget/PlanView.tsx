import type { ReactNode } from "react";
import { count } from "../text/words";
import type { Plan } from "./api";
import styles from "./ForgetDialog.module.css";

/** What forgetting reaches: rows, what is made again, what is deleted and why, and what stays out of reach. */
export function PlanView({ plan }: { plan: Plan }) {
  const versions = Object.entries(plan.rows);
  const deleted = Object.entries(plan.deleted);
  return (
    <div className={styles.plan}>
      <Part title="Rows that go">
        {versions.map(([version, rows]) => (
          <li key={version}>
            {count(rows, "row")} of {version}
          </li>
        ))}
      </Part>
      <Part title="Made again without them">
        {plan.made_again.map((version) => (
          <li key={version}>{version}</li>
        ))}
      </Part>
      <Part title="Deleted" isBad>
        {deleted.map(([version, why]) => (
          <li key={version}>
            {version}: {why}
          </li>
        ))}
      </Part>
      <Part title="Out of reach">
        {plan.out_of_reach.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </Part>
    </div>
  );
}

function Part({ title, isBad = false, children }: { title: string; isBad?: boolean; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 data-bad={isBad || undefined}>{title}</h3>
      <ul>{children}</ul>
    </section>
  );
}
