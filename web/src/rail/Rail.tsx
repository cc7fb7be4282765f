import type { UseQueryResult } from "@tanstack/react-query";
import type { Dataset } from "../api/client";
import { Skeleton } from "../ui/Skeleton";
import { DatasetItem } from "./DatasetItem";
import { NotebookList } from "./NotebookList";
import styles from "./Rail.module.css";
import { ViewList } from "./ViewList";

type Props = {
  query: UseQueryResult<Dataset[]>;
  chosen: Dataset | undefined;
  notebook: string | undefined;
  view: string | undefined;
  /** Somebody came by a link that shows one version: there is nothing else to see or to make. */
  isShared: boolean;
};

/** The notebooks of the workspace, and its datasets in the order they were made. */
export function Rail({ query, chosen, notebook, view, isShared }: Props) {
  return (
    <nav className={styles.rail} data-region="rail" aria-label="Notebooks and datasets">
      {!isShared && <ViewList chosen={view} />}
      <NotebookList chosen={notebook} isShared={isShared} />
      <h2 className={styles.title}>Datasets</h2>
      {query.isPending && <Skeleton label="Loading datasets" />}
      <ul className={styles.list}>
        {query.data?.map((dataset) => (
          <DatasetItem key={dataset.name} dataset={dataset} isChosen={dataset === chosen} />
        ))}
      </ul>
    </nav>
  );
}
