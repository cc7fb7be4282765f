import type { Dataset } from "../api/client";
import { count, doubtWords, originWords } from "../text/words";
import { DoubtBadge } from "../ui/DoubtBadge";
import { Icon } from "../ui/Icon";
import { PlaceLink } from "../ui/PlaceLink";
import styles from "./DatasetItem.module.css";

/** One dataset of the rail: its name, size, doubt, and what it was made from. */
export function DatasetItem({ dataset, isChosen }: { dataset: Dataset; isChosen: boolean }) {
  const doubt = doubtWords(dataset.doubt);
  return (
    <li>
      <PlaceLink className={styles.item} place={{ dataset: dataset.name }} isCurrent={isChosen}>
        <Icon name={dataset.origin === "load" ? "file" : dataset.origin === "sql" ? "sql" : "code"} />
        <span className={styles.name}>{dataset.name}</span>
        <span className={styles.rows}>{count(dataset.rows, "row")}</span>
        {dataset.text && dataset.origin !== "chart" ? (
          <code className={styles.made} title={dataset.text}>
            {dataset.text.replace(/\s+/g, " ")}
          </code>
        ) : (
          <span className={styles.made}>{originWords(dataset.origin)}</span>
        )}
        {doubt && (
          <span className={styles.doubt}>
            <DoubtBadge title={doubt}>{badge(dataset)}</DoubtBadge>
          </span>
        )}
      </PlaceLink>
    </li>
  );
}

function badge({ doubt }: Dataset): string {
  if (doubt.columns.length > 0) return count(doubt.columns.length, "doubtful column");
  return doubt.rows ? "doubtful rows" : "rows may be missing";
}
