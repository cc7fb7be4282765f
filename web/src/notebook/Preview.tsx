import { useQuery } from "@tanstack/react-query";
import { client, type Schemas, unwrap } from "../api/client";
import { useDatasets } from "../api/queries";
import { DownloadMenu } from "../dataset/DownloadMenu";
import { parsePlace, useSearch } from "../state/place";
import { count } from "../text/words";
import { DoubtBadge } from "../ui/DoubtBadge";
import { PlaceLink } from "../ui/PlaceLink";
import styles from "./Preview.module.css";
import { type OnCell, PreviewRows } from "./PreviewRows";

const ROWS = 5;
const HEAD = 25;
const ROW = 28;

type Props = { dataset: Schemas["MadeDataset"]; onCell: OnCell; isFolded: boolean };

/** The first rows of a dataset a cell made, doubtful cells in red; a value leads to its origin, the name to all rows. */
export function Preview({ dataset, onCell, isFolded }: Props) {
  const { name, version } = dataset;
  const page = useQuery({
    queryKey: ["preview", name, version],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/datasets/{name}/page", {
          params: { path: { name }, query: { offset: 0, limit: ROWS, version } },
          signal,
        }),
      ),
  });
  const place = parsePlace(useSearch());
  const isCurrent = useDatasets().data?.some((each) => each.name === name && each.version === version);
  const selected = isCurrent && place.dataset === name ? place : undefined;
  const rows = page.data ? (
    <PreviewRows label={`First rows of ${name}`} page={page.data} selected={selected} onCell={onCell} />
  ) : (
    <div style={{ height: HEAD + ROW * Math.min(ROWS, dataset.rows) }} />
  );
  return (
    <div>
      <p className={styles.name}>
        <PlaceLink place={{ dataset: name }}>{name}</PlaceLink>
        <span>{count(dataset.rows, "row")}</span>
        {dataset.is_doubtful && <DoubtBadge>doubtful</DoubtBadge>}
        <DownloadMenu dataset={dataset} />
      </p>
      {isFolded ? (
        <details className={styles.folded}>
          <summary>The first marks as a table</summary>
          {rows}
        </details>
      ) : (
        rows
      )}
    </div>
  );
}
