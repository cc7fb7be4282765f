import type { Dataset } from "../api/client";
import { count, doubtWords, fileWords, originWords } from "../text/words";
import { Icon } from "../ui/Icon";
import { PlaceLink } from "../ui/PlaceLink";
import { Sql } from "../ui/Sql";
import styles from "./DatasetHeader.module.css";
import { DownloadMenu } from "./DownloadMenu";

/** What the dataset is, how large, how it was made, and what is doubtful in it as a whole. */
export function DatasetHeader({ dataset }: { dataset: Dataset }) {
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
        <PlaceLink className={styles.sheet} place={{ dataset: dataset.name, view: "sheet" }}>
          Edit as a sheet
        </PlaceLink>
        <PlaceLink
          className={styles.sheet}
          place={
            dataset.origin === "chart"
              ? { view: "chart", chart: `${dataset.name}@${dataset.version}` }
              : { dataset: dataset.name, view: "chart" }
          }
        >
          {dataset.origin === "chart" ? "Open the chart" : "Chart"}
        </PlaceLink>
        <DownloadMenu dataset={dataset} />
        <span className={styles.space} />
        {doubt ? (
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
      </div>
      {dataset.origin === "sql" ? (
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
