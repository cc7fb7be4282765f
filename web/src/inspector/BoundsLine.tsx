import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type CellReport, client, unwrap } from "../api/client";
import { useAbout } from "../api/queries";
import { boundsWords } from "./boundsWords";
import styles from "./ValueSection.module.css";

/** Between which values a doubtful cell lies. It is asked for by a click, because a query runs once more for it. */
export function BoundsLine({ report }: { report: CellReport }) {
  const about = useAbout();
  const [isAsked, setAsked] = useState(false);
  const { dataset, version, row, column } = report;
  const bounds = useQuery({
    queryKey: ["bounds", dataset, version, row, column],
    enabled: isAsked,
    retry: false,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/datasets/{name}/bounds", {
          params: { path: { name: dataset }, query: { row, column, version } },
          signal,
        }),
      ),
  });
  if (!about.data || about.data.shared) return null;
  if (!isAsked)
    return (
      <button
        type="button"
        className={styles.ask}
        title="Runs the query once more, with the ranges that caveats state for the values behind this one."
        onClick={() => setAsked(true)}
      >
        How wrong can it be?
      </button>
    );
  const words = bounds.data ? boundsWords(bounds.data) : (bounds.error?.message ?? "Working it out…");
  return (
    <p className={styles.bounds} role="status">
      {words} <span className={styles.sure}>{bounds.data?.why}</span>
    </p>
  );
}
