import type { Dataset } from "../api/client";
import { ResultTools } from "../results/ResultTools";
import type { RowView, Sort } from "../results/rowView";
import type { Place } from "../state/place";
import { count, doubtWords, fileWords, originWords } from "../text/words";
import { Icon } from "../ui/Icon";
import { Sql } from "../ui/Sql";
import styles from "./DatasetHeader.module.css";
import { ViewSwitch } from "./ViewSwitch";

type Props = {
  dataset: Dataset;
  /** What is selected and filtered, for the other mode as well. */
  here: Place;
  isEditing: boolean;
  tools: {
    view: RowView;
    isFiltering: boolean;
    onSort: (sort: Sort | undefined) => void;
    onFilter: () => void;
    onCopy: () => void;
  };
};

/** What the dataset is, how large, how it was made, what is doubtful in it as a whole, and what can be done with it. */
export function DatasetHeader({ dataset, here, isEditing, tools }: Props) {
  const doubt = doubtWords(dataset.doubt);
  return (
    <div className={styles.header}>
      <div className={styles.line}>
        <h1 className={styles.name}>{dataset.name}</h1>
        <span className={styles.size}>
          {count(dataset.rows, "row")} × {count(dataset.columns.length, "column")}
        </span>
        <span className={styles.size}>version {dataset.version}</span>
        {!dataset.exact && <span className={styles.coarse}>coarse lineage</span>}
        <ViewSwitch isEditing={isEditing} place={here} />
        <span className={styles.space} />
        {isEditing ? null : doubt ? (
          <span className={styles.doubt}>
            <Icon name="warn" size={14} />
            {doubt}
            <kbd>F8</kbd>
          </span>
        ) : (
          <span className={styles.sure}>
            <Icon name="check" size={14} />
            Nothing doubtful
          </span>
        )}
        <ResultTools
          {...tools}
          mode={isEditing ? "edit" : "view"}
          dataset={dataset}
          columns={dataset.columns}
          chart={dataset.origin === "chart" ? `${dataset.name}@${dataset.version}` : undefined}
        />
      </div>
      {isEditing ? null : dataset.origin === "sql" ? (
        <div className={styles.code}>
          <Sql text={dataset.text} />
        </div>
      ) : (
        <p className={styles.origin}>
          {dataset.origin === "load" ? (
            fileWords(dataset.text, null)
          ) : dataset.text && dataset.origin !== "chart" ? (
            <code>{dataset.text}</code>
          ) : (
            originWords(dataset.origin)
          )}
        </p>
      )}
    </div>
  );
}
