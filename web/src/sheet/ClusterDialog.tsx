import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { count, number } from "../text/words";
import { type ClusterMethod, fetchClusters } from "./api";
import styles from "./ClusterDialog.module.css";
import { FormDialog } from "./FormDialog";
import { merged } from "./merged";
import type { SheetSession } from "./SheetSession";

const METHODS: Record<ClusterMethod, string> = {
  fingerprint: "the same words",
  ngram: "the same letters",
  phonetic: "sounds alike in English",
  distance: "two letters apart",
};

type Props = {
  session: SheetSession;
  column: string;
  onMerge: (values: Record<string, string>) => void;
  onClose: () => void;
};

/** Values that are probably the same, put together; those that are ticked become one. */
export function ClusterDialog({ session, column, onMerge, onClose }: Props) {
  const [method, setMethod] = useState<ClusterMethod>("fingerprint");
  const [chosenKeys, setTicked] = useState<ReadonlySet<string>>();
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const query = useQuery({
    queryKey: ["sheet clusters", session.id, session.revision, column, method],
    queryFn: ({ signal }) => fetchClusters(session.id, column, method, signal),
  });
  const clusters = query.data?.clusters ?? [];
  const keyOf = (cluster: { text: string | null }[]) => cluster.map(({ text }) => text).join("\0");
  // What differs in case, signs and the order of words only is nearly always the same.
  const ticked = chosenKeys ?? new Set(method === "fingerprint" ? clusters.map(keyOf) : []);
  const nameOf = (cluster: { text: string | null }[]) => names[keyOf(cluster)] ?? cluster[0]?.text ?? "";
  const chosen = clusters.filter((cluster) => ticked.has(keyOf(cluster)));
  const changes = merged(chosen.map((cluster) => ({ values: cluster, name: nameOf(cluster) })));
  const tick = (key: string) =>
    setTicked(new Set(ticked.has(key) ? [...ticked].filter((each) => each !== key) : [...ticked, key]));
  return (
    <FormDialog
      title={`Merge similar values of ${column}`}
      submit={`Merge ${count(chosen.length, "group")}`}
      isBusy={Object.keys(changes).length === 0}
      problem={query.error?.message}
      onClose={onClose}
      onSubmit={() => onMerge(changes)}
    >
      <label>
        Taken for the same
        <select
          value={method}
          onChange={(event) => {
            setMethod(event.target.value as ClusterMethod);
            setTicked(undefined);
          }}
        >
          {Object.entries(METHODS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {clusters.length > 0 && (
        <ul className={styles.clusters} aria-label="Groups of values">
          {clusters.map((cluster) => {
            const key = keyOf(cluster);
            return (
              <li key={key} className={styles.cluster}>
                <input
                  type="checkbox"
                  aria-label={`Merge ${cluster.map(({ text }) => text).join(", ")}`}
                  checked={ticked.has(key)}
                  onChange={() => tick(key)}
                />
                <ul className={styles.values}>
                  {cluster.map((each) => (
                    <li key={each.text}>
                      <button
                        type="button"
                        title="Take this one"
                        onClick={() => setNames({ ...names, [key]: each.text ?? "" })}
                      >
                        {each.text}
                      </button>
                      <span>{number(each.count)}</span>
                    </li>
                  ))}
                </ul>
                <input
                  aria-label={`What ${cluster[0]?.text} and the like become`}
                  value={nameOf(cluster)}
                  onChange={(event) => {
                    setNames({ ...names, [key]: event.target.value });
                    setTicked(new Set([...ticked, key]));
                  }}
                />
              </li>
            );
          })}
        </ul>
      )}
      <div className={styles.foot}>
        <p role="status">
          {query.isPending
            ? "Comparing…"
            : clusters.length === 0
              ? "No two values are alike in this way. Try another one."
              : `${count(clusters.length, "group")} in all rows of the sheet. It is one step: Ctrl Z takes it back.`}
        </p>
        {clusters.length > 0 && (
          <button
            type="button"
            className="button"
            onClick={() => setTicked(new Set(ticked.size < clusters.length ? clusters.map(keyOf) : []))}
          >
            {ticked.size < clusters.length ? "Tick all" : "Tick none"}
          </button>
        )}
      </div>
    </FormDialog>
  );
}
