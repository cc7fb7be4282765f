import { useQuery } from "@tanstack/react-query";
import { Section } from "../inspector/Section";
import { show } from "../text/value";
import { count } from "../text/words";
import { fetchHistory } from "./api";
import styles from "./CellHistory.module.css";
import type { SheetRow } from "./SheetRow";
import type { SheetSession } from "./SheetSession";

type Props = { session: SheetSession; row: SheetRow; column: string; before: string | undefined };

/** What was done to a cell in this sheet, newest first, down to what the data says. */
export function CellHistory({ session, row, column, before }: Props) {
  const steps = useQuery({
    queryKey: ["sheet history", session.id, session.revision, row.key, column],
    enabled: session.sheet.operations > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
    queryFn: ({ signal }) => fetchHistory(session.id, row.key, column, signal),
  }).data?.steps;
  if (steps === undefined || steps.length === 0) return null;
  return (
    <Section title="Edit history" note={count(steps.length, "edit")}>
      <ol className={styles.steps}>
        {[...steps].reverse().map((step) => (
          <li key={step.number}>
            <code>{step.formula ?? show(step.value).text}</code>
            <span>
              {step.sentence} Step {step.number} of the sheet.
            </span>
          </li>
        ))}
        {before !== undefined && (
          <li>
            <code>{before}</code>
            <span>In the data.</span>
          </li>
        )}
      </ol>
    </Section>
  );
}
