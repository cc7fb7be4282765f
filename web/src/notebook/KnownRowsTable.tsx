import { useQuery } from "@tanstack/react-query";
import { client, unwrap } from "../api/client";
import { parsePlace, useSearch } from "../state/place";
import { count, number } from "../text/words";
import styles from "./Preview.module.css";
import { type OnCell, PreviewRows } from "./PreviewRows";
import { type KnownRows, marksOf } from "./shownData";

type Props = { known: KnownRows; onCell: OnCell | undefined };

/** Rows of a dataset that a Python cell shows, doubtful cells in red; a value of the dataset leads to its origin. */
export function KnownRowsTable({ known, onCell }: Props) {
  const { dataset: name, version, rids } = known;
  const page = useQuery({
    queryKey: ["known rows", name, version, rids],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/datasets/{name}/page", {
          params: { path: { name }, query: { version, rids: JSON.stringify(rids) } },
          signal,
        }),
      ),
  });
  const place = parsePlace(useSearch());
  const own = new Set(page.data?.columns.map((column) => column.name));
  const others = known.columns.filter((column) => !own.has(column.name));
  const shown = {
    ...known,
    marks: page.data ? marksOf(known, page.data) : [],
    row_marks: rids.map((rid) => page.data?.row_marks[page.data.rids.indexOf(rid)] ?? false),
  };
  return (
    <div className={styles.result}>
      <p className={styles.name}>
        {known.count > rids.length
          ? `First ${number(rids.length)} of ${count(known.count, "row")} of ${name}`
          : `${count(known.count, "row")} of ${name}`}
        {page.data &&
          others.length > 0 &&
          `. What is doubtful in ${others.map((each) => each.name).join(", ")} is not known here.`}
      </p>
      <PreviewRows
        label={`Shown rows of ${name}`}
        page={shown}
        selected={place.dataset === name ? place : undefined}
        onCell={(row, column) => own.has(column) && onCell?.(row, column)}
      />
    </div>
  );
}
