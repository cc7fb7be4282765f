import { useQuery } from "@tanstack/react-query";
import type { CellEdit } from "../inspector/InspectedCell";
import { Section } from "../inspector/Section";
import { show } from "../text/value";
import { count } from "../text/words";
import { fetchHistory } from "./api";
import styles from "./CellHistory.module.css";

type Props = { edit: CellEdit; before: string | undefined };

/** What was done to a cell in this sheet, newest first, down to what the data says. */
export function CellHistory({ edit, before }: Props) {
  const { sheet, revision, row, column, operations } = edit;
  const steps = useQuery({
    queryKey: ["sheet history", sheet, revision, row, column.name],
    enabled: operations > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
    queryFn: ({ signal }) => fetchHistory(sheet, row, column.name, signal),
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
