import type { CellReport } from "../api/client";
import { withoutNoise } from "../text/numbers";
import { show } from "../text/value";
import { DoubtBadge } from "../ui/DoubtBadge";
import { BoundsLine } from "./BoundsLine";
import type { InspectedCell } from "./InspectedCell";
import { Section } from "./Section";
import styles from "./ValueSection.module.css";

type Props = {
  cell: InspectedCell;
  report: CellReport | undefined;
  /** Why it is in doubt although nothing in the data below it is. */
  why: string | undefined;
};

/** The value itself in full, its type, and in a word whether to trust it. */
export function ValueSection({ cell, report, why }: Props) {
  const { edit } = cell;
  const shown = edit?.look ?? show(report?.value);
  const shortened = shown.kind === "number" ? withoutNoise(shown.text) : undefined;
  const isEdited = edit?.look.isEdited ?? false;
  const isDoubtful = edit ? edit.look.isDoubtful : report?.suspect;
  const isRowDoubtful = edit ? edit.isRowDoubtful : report?.row_suspect;
  const written = isEdited ? "" : (report?.origin ?? "");
  return (
    <Section title="Value" note={cell.type}>
      <p className={styles.value} data-kind={shown.kind} data-long={shown.text.length > 28 || undefined}>
        {shortened ?? shown.text}
      </p>
      {shortened !== undefined && <p className={styles.written}>{`In full: ${shown.text}`}</p>}
      {edit?.look.source.startsWith("=") && <code className={styles.formula}>{edit.look.source}</code>}
      <p className={styles.trust}>
        {isDoubtful && <DoubtBadge>doubtful value</DoubtBadge>}
        {isRowDoubtful && <DoubtBadge>doubtful row</DoubtBadge>}
        {isEdited && <span className={styles.sure}>{edit?.look.isPending ? "On its way." : "Edited here."}</span>}
        {!isDoubtful && !isRowDoubtful && !isEdited && written === "" && (
          <span className={styles.sure}>No doubt reaches this cell.</span>
        )}
      </p>
      {why && <p className={styles.why}>{why}</p>}
      {report?.suspect && !isEdited && <BoundsLine key={`${report.row} ${report.column}`} report={report} />}
      {written !== "" && <p className={styles.written}>{`Not data: ${written}.`}</p>}
      {edit?.look.problem && (
        <p className={styles.problem} role="alert">
          {edit.look.problem}
        </p>
      )}
      {edit?.onGiveUp && (
        <button type="button" className={`button ${styles.actions}`} onClick={edit.onGiveUp}>
          Give up what was typed
        </button>
      )}
    </Section>
  );
}
