import type { CellReport, Dataset } from "../api/client";
import { show } from "../text/value";
import { DoubtBadge } from "../ui/DoubtBadge";
import { BoundsLine } from "./BoundsLine";
import { Section } from "./Section";
import styles from "./ValueSection.module.css";

/** The value itself, its type, and in a word whether to trust it. */
export function ValueSection({ report, dataset }: { report: CellReport; dataset: Dataset }) {
  const shown = show(report.value);
  const type = dataset.columns.find((column) => column.name === report.column)?.type ?? "";
  return (
    <Section title="Value" note={type}>
      <p className={styles.value} data-kind={shown.kind} data-long={shown.text.length > 28 || undefined}>
        {shown.text}
      </p>
      <p className={styles.trust}>
        {report.suspect && <DoubtBadge>doubtful value</DoubtBadge>}
        {report.row_suspect && <DoubtBadge>doubtful row</DoubtBadge>}
        {!report.suspect && !report.row_suspect && report.origin === "" && (
          <span className={styles.sure}>No doubt reaches this cell.</span>
        )}
      </p>
      {report.suspect && <BoundsLine key={`${report.row} ${report.column}`} report={report} />}
      {report.origin !== "" && <p className={styles.written}>{`Not data: ${report.origin}.`}</p>}
    </Section>
  );
}
