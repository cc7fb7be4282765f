import type { Schemas } from "../api/client";
import styles from "./Diff.module.css";
import { diffLines } from "./diffLines";

const SIGNS: Record<string, "added" | "removed"> = { "+": "added", "-": "removed" };

/** The lines of a cell that two versions do not share. */
export function Diff({ change }: { change: Schemas["CellComparison"] }) {
  return (
    <div className={styles.diff}>
      <p className={styles.head}>
        <span className={styles.kind}>{change.kind}</span>
        {change.change}
      </p>
      {change.diff && (
        <pre className={styles.lines}>
          {diffLines(change).map((line, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name than their place
            <span key={number} className={styles.line} data-sign={SIGNS[line.charAt(0)]}>
              {line || " "}
            </span>
          ))}
        </pre>
      )}
    </div>
  );
}
