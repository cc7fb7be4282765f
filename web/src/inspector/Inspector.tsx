import type { Dataset } from "../api/client";
import { useCell } from "../api/queries";
import { MarkTitle } from "../charts/MarkTitle";
import type { Place } from "../state/place";
import { rowWords } from "../text/cellName";
import { Icon } from "../ui/Icon";
import { Notice } from "../ui/Notice";
import { Skeleton } from "../ui/Skeleton";
import { CaveatSection } from "./CaveatSection";
import styles from "./Inspector.module.css";
import { NothingSelected } from "./NothingSelected";
import { TraceSection } from "./TraceSection";
import { ValueSection } from "./ValueSection";

type Props = { dataset: Dataset; datasets: Dataset[]; place: Place; onClose: () => void };

/** Everything known about the selected cell: its value, where it came from, what is doubtful about it. */
export function Inspector({ dataset, datasets, place, onClose }: Props) {
  const report = useCell(dataset, place.row, place.column);
  return (
    <aside
      className={styles.inspector}
      data-region="inspector"
      data-idle={place.row === undefined || undefined}
      tabIndex={-1}
      aria-label="Inspector"
    >
      <header className={styles.bar}>
        <h2 className={styles.title}>
          {place.row === undefined || place.column === undefined ? (
            "Inspector"
          ) : dataset.origin === "chart" ? (
            <span className={styles.column}>
              <MarkTitle dataset={dataset} row={place.row} column={place.column}>
                Mark of a chart
              </MarkTitle>
            </span>
          ) : (
            <>
              <span className={styles.column}>{place.column}</span> in {rowWords(place.row)}
            </>
          )}
        </h2>
        <button type="button" className="icon-button" onClick={onClose} aria-label="Close the inspector">
          <Icon name="close" />
        </button>
      </header>
      {report.isError ? (
        <Notice title={report.error.message} isError action={{ label: "Retry", run: () => void report.refetch() }} />
      ) : report.data ? (
        <>
          <ValueSection report={report.data} dataset={dataset} />
          <TraceSection report={report.data} dataset={dataset} datasets={datasets} />
          <CaveatSection report={report.data} datasets={datasets} />
        </>
      ) : report.isFetching ? (
        <Skeleton label="Tracing the cell" lines={7} />
      ) : (
        <NothingSelected dataset={dataset} />
      )}
    </aside>
  );
}
