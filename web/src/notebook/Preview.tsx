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

/** The first rows of a dataset a cell made, doubtful cells in red; its name leads to all of it. */
export function Preview({ dataset }: { dataset: Schemas["MadeDataset"] }) {
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
  return (
    <div>
      <p className={styles.name}>
        <PlaceLink place={{ dataset: name }}>{name}</PlaceLink>
        <span>{count(dataset.rows, "row")}</span>
        {dataset.is_doubtful && <DoubtBadge>doubtful</DoubtBadge>}
      </p>
      {page.data ? <Rows page={page.data} /> : <div style={{ height: HEAD + ROW * Math.min(ROWS, dataset.rows) }} />}
    </div>
  );
}

function Rows({ page }: { page: Schemas["Page"] }) {
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
                    {shown.text}
                    {isDoubtful && <span className="visually-hidden"> (doubtful)</span>}
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
