import type { Dataset } from "../api/client";
import { useAbout, useCell } from "../api/queries";
import { MarkTitle } from "../charts/MarkTitle";
import { rowWords } from "../text/cellName";
import { Icon } from "../ui/Icon";
import { Notice } from "../ui/Notice";
import { Skeleton } from "../ui/Skeleton";
import type { InspectedCell } from "./InspectedCell";
import styles from "./Inspector.module.css";
import { InspectorBody } from "./InspectorBody";
import { NothingSelected } from "./NothingSelected";

type Props = {
  dataset: Dataset;
  datasets: Dataset[];
  cell: InspectedCell | undefined;
  /** The dataset is edited as a sheet. */
  isSheet?: boolean;
  /** The sheet is on its way: only it knows which row of the data stands at the place in the address. */
  isOpening?: boolean;
  onClose: () => void;
};

/** Everything known about the selected cell: its value, what was done to it, where it came from, what is doubtful. */
export function Inspector({ dataset, datasets, cell, isSheet = false, isOpening = false, onClose }: Props) {
  const below = cell?.edit ? { ...dataset, version: cell.edit.version } : dataset;
  const isShared = Boolean(useAbout().data?.shared);
  const report = useCell(below, cell?.data?.row, cell?.data?.column);
  return (
    <aside
      className={styles.inspector}
      data-region="inspector"
      data-idle={(cell === undefined && !isOpening) || undefined}
      tabIndex={-1}
      aria-label="Inspector"
    >
      <header className={styles.bar}>
        <h2 className={styles.title}>{cell === undefined ? "Inspector" : <Title dataset={below} cell={cell} />}</h2>
        <button type="button" className="icon-button" onClick={onClose} aria-label="Close the inspector">
          <Icon name="close" />
        </button>
      </header>
      {isShared ? (
        <Notice title="This link shows results, not where they came from.">
          The owner of the notebook can share it as a file instead, in which every value leads to its rows.
        </Notice>
      ) : isOpening ? (
        <Skeleton label="Opening the sheet" lines={7} />
      ) : cell === undefined ? (
        <NothingSelected dataset={dataset} isSheet={isSheet} />
      ) : (
        <InspectorBody dataset={below} datasets={datasets} cell={cell} report={report} />
      )}
    </aside>
  );
}

/** "price in row 5", or what a mark of a chart is called. */
function Title({ dataset, cell }: { dataset: Dataset; cell: InspectedCell }) {
  if (dataset.origin === "chart" && cell.data)
    return (
      <span className={styles.column}>
        <MarkTitle dataset={dataset} row={cell.data.row} column={cell.data.column}>
          Mark of a chart
        </MarkTitle>
      </span>
    );
  return (
    <>
      <span className={styles.column}>{cell.column}</span> in {rowWords(cell.position)}
    </>
  );
}
