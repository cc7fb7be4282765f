import type { Dataset } from "../api/client";
import { Icon } from "../ui/Icon";
import { PlaceLink } from "../ui/PlaceLink";
import styles from "./DatasetItem.module.css";
import { RailEntry } from "./RailEntry";
import type { RailCommands } from "./useRailCommands";

/** A chart of the rail; it opens as the picture, not as the table of its marks. */
export function ChartItem({ chart, commands }: { chart: Dataset; commands: RailCommands | undefined }) {
  // Charts are drawn for the owner only: a share link shows the table of the marks.
  const place = commands ? { view: "chart", chart: `${chart.name}@${chart.version}` } : { dataset: chart.name };
  return (
    <li>
      <RailEntry
        label={`chart ${chart.name}`}
        items={commands?.forDataset(chart) ?? []}
        onRename={commands && (() => commands.ask({ what: "rename", dataset: chart }))}
        onDelete={commands && (() => commands.ask({ what: "delete", dataset: chart }))}
      >
        <PlaceLink className={styles.item} place={place}>
          <Icon name="chart" />
          <span className={styles.name}>{chart.name}</span>
          {chart.parents.length > 0 && <span className={styles.made}>{`of ${chart.parents.join(", ")}`}</span>}
        </PlaceLink>
      </RailEntry>
    </li>
  );
}
