import { useQuery } from "@tanstack/react-query";
import { client, type Schemas, unwrap } from "../api/client";
import { show } from "../text/value";
import { count } from "../text/words";
import { DoubtBadge } from "../ui/DoubtBadge";
import { PlaceLink } from "../ui/PlaceLink";
import styles from "./Preview.module.css";

const ROWS = 5;
const HEAD = 25;
const ROW = 28;

type OnCell = (row: number, column: string) => void;
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
  const rows = page.data ? (
    <Rows page={page.data} onCell={onCell} />
  ) : (
    <div style={{ height: HEAD + ROW * Math.min(ROWS, dataset.rows) }} />
  );
  return (
    <div>
      <p className={styles.name}>
        <PlaceLink place={{ dataset: name }}>{name}</PlaceLink>
        <span>{count(dataset.rows, "row")}</span>
        {dataset.is_doubtful && <DoubtBadge>doubtful</DoubtBadge>}
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

function Rows({ page, onCell }: { page: Schemas["Page"]; onCell: OnCell }) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            {page.columns.map((column) => (
              <th key={column.name} scope="col" title={column.type}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {page.rows.map((row, place) => (
            <tr key={page.rids[place]} data-doubt={page.row_marks[place] || undefined}>
              {row.map((value, position) => {
                const shown = show(value);
                const isDoubtful = page.marks[place]?.includes(position);
                return (
                  <td key={page.columns[position]?.name} data-kind={shown.kind} data-doubt={isDoubtful || undefined}>
                    <button
                      type="button"
                      className={styles.value}
                      onClick={() => onCell(page.rids[place] ?? 0, page.columns[position]?.name ?? "")}
                    >
                      {shown.text}
                      {isDoubtful && <span className="visually-hidden"> (doubtful)</span>}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
