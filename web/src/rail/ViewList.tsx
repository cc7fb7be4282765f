import { useOpenCount } from "../caveats/api";
import { number } from "../text/words";
import { Icon } from "../ui/Icon";
import { PlaceLink } from "../ui/PlaceLink";
import items from "./DatasetItem.module.css";
import rail from "./Rail.module.css";
import styles from "./ViewList.module.css";

const CHARTS = ["canvas", "chart", "explain"];

/** The ways to look at the whole workspace. */
export function ViewList({ chosen }: { chosen: string | undefined }) {
  const open = useOpenCount().data?.open ?? 0;
  return (
    <ul className={`${rail.list} ${styles.views}`}>
      <li>
        <PlaceLink className={items.item} place={{ view: "caveats" }} isCurrent={chosen === "caveats"}>
          <Icon name="warn" />
          <span className={items.name}>Caveats</span>
          {open > 0 && <span className={styles.count}>{number(open)}</span>}
        </PlaceLink>
      </li>
      <li>
        <PlaceLink
          className={items.item}
          place={{ view: "canvas" }}
          isCurrent={chosen !== undefined && CHARTS.includes(chosen)}
        >
          <Icon name="chart" />
          <span className={items.name}>Charts</span>
        </PlaceLink>
      </li>
      <li>
        <PlaceLink className={items.item} place={{ view: "lineage" }} isCurrent={chosen === "lineage"}>
          <Icon name="graph" />
          <span className={items.name}>Lineage</span>
        </PlaceLink>
      </li>
    </ul>
  );
}
