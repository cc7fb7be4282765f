import { useQuery } from "@tanstack/react-query";
import { client, type Schemas, unwrap } from "../api/client";
import { formatsOf, showIn } from "../text/numbers";
import { isNumeric, show } from "../text/value";
import { count } from "../text/words";
import { DoubtBadge } from "../ui/DoubtBadge";
import styles from "./Preview.module.css";

const ROWS = 5;

type Props = { dataset: Schemas["MadeDataset"]; isFolded: boolean };

/** The first rows of the dataset version that an earlier version of a notebook made, only to read. */
export function PastRows({ dataset, isFolded }: Props) {
  const { name, version } = dataset;
  const page = useQuery({
    queryKey: ["preview", name, version],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => {
      const params = { path: { name }, query: { offset: 0, limit: ROWS, version } };
      return unwrap(client.GET("/api/datasets/{name}/page", { params, signal }));
    },
  });
  const rows = page.data && <Table label={`First rows of ${name}`} page={page.data} />;
  return (
    <div>
      <p className={styles.name}>
        <b>{name}</b>
        <span>{`version ${version}, ${count(dataset.rows, "row")}`}</span>
        {dataset.is_doubtful && <DoubtBadge>doubtful</DoubtBadge>}
      </p>
      {page.isError && <p className={styles.name}>{page.error.message}</p>}
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

function Table({ label, page }: { label: string; page: Schemas["Page"] }) {
  const formats = formatsOf(page.columns, page.rows);
  const numeric = page.columns.map(({ type }) => isNumeric(type) || undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls needs the focus to scroll by keys
    <section className={styles.scroll} tabIndex={0} aria-label={label}>
      <table className={styles.table}>
        <thead>
          <tr>
            {page.columns.map((column, place) => (
              <th key={column.name} scope="col" title={column.type} data-numeric={numeric[place]}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {page.rows.map((values, row) => (
            <tr key={page.rids[row]} data-doubt={page.row_marks[row] || undefined}>
              {values.map((value, place) => {
                const { kind } = show(value);
                const isDoubtful = page.marks[row]?.includes(place) || undefined;
                return (
                  <td
                    key={page.columns[place]?.name}
                    data-kind={kind}
                    data-numeric={numeric[place]}
                    data-doubt={isDoubtful}
                  >
                    {showIn(formats[place], value)}
                    {isDoubtful && <span className="visually-hidden"> (doubtful)</span>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
