import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { boundsKey, fetchBounds, useWidths } from "../api/bounds";
import type { CellReport } from "../api/client";
import { useAbout } from "../api/queries";
import { boundsSentence, isWide } from "./boundsWords";
import styles from "./ValueSection.module.css";
import { WidthParts } from "./WidthParts";

/**
 * Between which values a doubtful cell lies. It is asked for by a click if a query has to run once more for it; from
 * then on every cell of the dataset tells it.
 */
export function BoundsLine({ report }: { report: CellReport }) {
  const about = useAbout();
  const queries = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const { version, row, column } = report;
  const of = { name: report.dataset, version };
  const isKnown = useWidths(of, true).data?.is_known ?? false;
  const bounds = useQuery({
    queryKey: boundsKey(of, row, column),
    enabled: isAsked || isKnown,
    retry: false,
    queryFn: ({ signal }) => fetchBounds(of, row, column, signal),
  });
  const becameKnown = bounds.isSuccess && !isKnown;
  useEffect(() => {
    if (becameKnown) void queries.invalidateQueries({ queryKey: ["widths", of.name, of.version] });
  }, [becameKnown, queries, of.name, of.version]);
  if (!about.data || about.data.shared) return null;
  if (!isAsked && !isKnown)
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
  const isSource = report.steps.length === 0;
  const [words, why] = bounds.data
    ? boundsSentence(bounds.data, isSource)
    : [bounds.error?.message ?? "Working it out…", ""];
  return (
    <>
      <p className={styles.bounds} role="status">
        {words} <span className={styles.sure}>{why}</span>
      </p>
      {bounds.data && !isSource && isWide(bounds.data) && <WidthParts dataset={of} row={row} column={column} />}
    </>
  );
}
