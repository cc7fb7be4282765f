import type { Dataset } from "../api/client";
import type { useCell } from "../api/queries";
import { CellHistory } from "../sheet/CellHistory";
import { ownDoubt } from "../sheet/cellLook";
import { show } from "../text/value";
import { Notice } from "../ui/Notice";
import { Skeleton } from "../ui/Skeleton";
import { CaveatSection } from "./CaveatSection";
import type { InspectedCell } from "./InspectedCell";
import styles from "./InspectorBody.module.css";
import { Section } from "./Section";
import { TraceSection } from "./TraceSection";
import { ValueSection } from "./ValueSection";

type Report = ReturnType<typeof useCell>;
type Props = { dataset: Dataset; datasets: Dataset[]; cell: InspectedCell; report: Report };

/** The parts of the inspector: what the grid shows, what a sheet did to it, and the data below that. */
export function InspectorBody({ dataset, datasets, cell, report: { data: report, error, refetch } }: Props) {
  const { edit } = cell;
  const why = edit && report && ownDoubt(edit.look, edit.column, report.suspect);
  return (
    <>
      {(edit || report) && <ValueSection cell={cell} report={report} why={why} />}
      {edit && <CellHistory edit={edit} before={report && show(report.value).text} />}
      {cell.data === undefined ? (
        <Section title="Where it came from">
          <p className={styles.inserted}>
            {edit?.column.base == null ? "The column" : "The row"} was inserted here; there is no data behind it.
          </p>
        </Section>
      ) : error ? (
        <Notice title={error.message} isError action={{ label: "Retry", run: () => void refetch() }} />
      ) : report ? (
        <>
          {edit?.look.isEdited && (
            <p className={styles.below}>Below: the data under the edit, and what is doubtful about that.</p>
          )}
          <TraceSection report={report} dataset={dataset} datasets={datasets} />
          {(why === undefined || report.caveats.length > 0) && <CaveatSection report={report} datasets={datasets} />}
        </>
      ) : (
        <Skeleton label="Tracing the cell" lines={7} />
      )}
    </>
  );
}
