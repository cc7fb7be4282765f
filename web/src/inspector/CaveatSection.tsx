import type { CellReport, Dataset } from "../api/client";
import { count } from "../text/words";
import { CaveatCard } from "./CaveatCard";
import styles from "./CaveatSection.module.css";
import { Section } from "./Section";

/** Every doubt that reaches the cell, in groups. */
export function CaveatSection({ report, datasets }: { report: CellReport; datasets: Dataset[] }) {
  const total = report.caveats.reduce((sum, group) => sum + group.count, 0);
  return (
    <Section title="What is doubtful" {...(total > 0 && { note: count(total, "caveat") })}>
      {total === 0 ? (
        <p className={styles.none}>Nothing is doubtful about this cell.</p>
      ) : (
        <ul className={styles.list}>
          {report.caveats.map((group) => (
            <CaveatCard key={`${group.family} ${group.made_by} ${group.column}`} group={group} datasets={datasets} />
          ))}
        </ul>
      )}
    </Section>
  );
}
