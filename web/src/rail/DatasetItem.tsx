import type { Dataset } from "../api/client";
import { count, doubtWords, originWords } from "../text/words";
import { DoubtBadge } from "../ui/DoubtBadge";
import { Icon } from "../ui/Icon";
import { PlaceLink } from "../ui/PlaceLink";
import styles from "./DatasetItem.module.css";
import { RailEntry } from "./RailEntry";
import type { RailCommands } from "./useRailCommands";

type Props = { dataset: Dataset; isChosen: boolean; commands: RailCommands | undefined };

/** One dataset of the rail: its name, size, doubt, and what it was made from. */
export function DatasetItem({ dataset, isChosen, commands }: Props) {
  const doubt = doubtWords(dataset.doubt);
  return (
    <li>
      <RailEntry
        label={`dataset ${dataset.name}`}
        items={commands?.forDataset(dataset) ?? []}
        onRename={commands && (() => commands.ask({ what: "rename", dataset }))}
        onDelete={commands && (() => commands.ask({ what: "delete", dataset }))}
      >
        <PlaceLink className={styles.item} place={{ dataset: dataset.name }} isCurrent={isChosen}>
          <Icon name={dataset.origin === "load" ? "file" : dataset.origin === "sql" ? "sql" : "code"} />
          <span className={styles.name}>{dataset.name}</span>
          <span className={styles.made} title={dataset.text || undefined}>
            <span className={styles.rows}>{count(dataset.rows, "row")}</span>
            {" · "}
            {dataset.text ? <code>{dataset.text.replace(/\s+/g, " ")}</code> : originWords(dataset.origin)}
          </span>
          {doubt && (
            <span className={styles.doubt}>
              <DoubtBadge title={doubt}>{badge(dataset)}</DoubtBadge>
            </span>
          )}
        </PlaceLink>
      </RailEntry>
    </li>
  );
}

function badge({ doubt }: Dataset): string {
  if (doubt.columns.length > 0) return count(doubt.columns.length, "doubtful column");
  return doubt.rows ? "doubtful rows" : "rows may be missing";
}
