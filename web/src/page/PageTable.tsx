import { useState } from "react";
import type { Schemas } from "../api/client";
import type { Brushes } from "../charts/useBrushes";
import { type OnCell, PreviewRows } from "../notebook/PreviewRows";
import { parsePlace, useSearch } from "../state/place";
import { count, number } from "../text/words";
import { useRows, useSelectedRows } from "./api";
import styles from "./Page.module.css";

const FIRST = 100;
const MOST = 1000;

type Props = {
  dataset: Schemas["MadeDataset"];
  link: string | undefined;
  /** Which of the linked tables it is; -1 if it is none. */
  place: number;
  brushes: Brushes | undefined;
  onCell: OnCell;
};

/** The first rows of a dataset; while charts are brushed, the rows behind what is selected. */
export function PageTable({ dataset, link, place, brushes, onCell }: Props) {
  const [limit, setLimit] = useState(FIRST);
  const marks = brushes?.brushed.map((chart) => `${chart}: ${brushes.marksOf(chart).join(" ")}`).join("; ") ?? "";
  const chosen = useSelectedRows(link, place, marks, limit);
  const selected = marks === "" || place < 0 ? undefined : chosen.data;
  const rows = useRows(dataset, limit, selected?.rids);
  const here = parsePlace(useSearch());
  if (rows.isError) return <p className={styles.problem}>{rows.error.message}</p>;
  const all = selected?.count ?? dataset.rows;
  const shown = Math.min(all, limit);
  return (
    <>
      <p className={styles.rows} role={selected && "status"}>
        {selected ? `${number(all)} of ${count(dataset.rows, "row")} behind the selection` : count(all, "row")}
        {shown < all && `, the first ${number(shown)} of them here`}
        {shown < Math.min(all, MOST) && (
          <button type="button" className={styles.more} onClick={() => setLimit(MOST)}>
            Show more
          </button>
        )}
      </p>
      {rows.data && (
        <PreviewRows
          label={`Rows of ${dataset.name}`}
          page={rows.data}
          selected={here.dataset === dataset.name ? here : undefined}
          onCell={onCell}
        />
      )}
    </>
  );
}
