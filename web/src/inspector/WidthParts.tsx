import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, type Dataset, unwrap } from "../api/client";
import { count } from "../text/words";
import { boundsWords, percent } from "./boundsWords";
import styles from "./ValueSection.module.css";

type Props = { dataset: Pick<Dataset, "name" | "version">; row: number; column: string };

/** Which caveats make up how much of the width of a cell's bounds, most first; asked for by a click. */
export function WidthParts({ dataset, row, column }: Props) {
  const [isAsked, setAsked] = useState(false);
  const { name, version } = dataset;
  const parts = useQuery({
    queryKey: ["width-parts", name, version, row, column],
    enabled: isAsked,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/datasets/{name}/width-parts", {
          params: { path: { name }, query: { row, column, version } },
          signal,
        }),
      ),
  });
  if (!isAsked)
    return (
      <button
        type="button"
        className={styles.ask}
        title="Works out the bounds without the doubt of each caveat; the query runs once or twice for each."
        onClick={() => setAsked(true)}
      >
        What makes it so wide?
      </button>
    );
  if (!parts.data) return <p className={styles.bounds}>{parts.error?.message ?? "Working it out…"}</p>;
  return (
    <ol className={styles.parts} aria-label="What makes it so wide">
      {parts.data.map(({ caveats, share, together }, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <li key={number}>
          {caveats.message}
          {caveats.count > 1 && ` (${count(caveats.count, "caveat")})`}
          <span className={styles.sure}>
            {share === null ? "" : ` ${percent(share)} of the width.`}
            {` Accept ${number === 0 ? "this" : `these ${number + 1}`} and it is ${boundsWords(together)}.`}
          </span>
        </li>
      ))}
    </ol>
  );
}
