import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { fetchComparison } from "../api/notebooks";
import { Diff } from "./Diff";
import styles from "./VersionPreview.module.css";

const PAUSE = 250;

/** What one version changed, shown beside it while it is pointed at. */
export function VersionPreview({ notebook, version, parent }: { notebook: string; version: number; parent: number }) {
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWanted(true), PAUSE);
    return () => clearTimeout(timer);
  }, []);
  const comparison = useQuery({
    queryKey: ["compare", notebook, parent, version],
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => fetchComparison(notebook, parent, version, signal),
  });
  if (!comparison.data) return null;
  const { cells } = comparison.data;
  return (
    <div className={styles.preview} role="tooltip">
      {cells.length === 0 && <p className={styles.none}>No cell says anything else than before.</p>}
      {cells.slice(0, 3).map((each) => (
        <Diff key={each.cell} change={each} />
      ))}
      {cells.length > 3 && <p className={styles.none}>{`and ${cells.length - 3} more cells`}</p>}
    </div>
  );
}
