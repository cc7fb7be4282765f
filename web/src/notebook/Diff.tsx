import type { Schemas } from "../api/client";
import styles from "./Diff.module.css";
import { withShortUploads } from "./uploads";

const SIGNS: Record<string, "added" | "removed" | "place"> = { "+": "added", "-": "removed", "@": "place" };

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
          {change.diff.split("\n").map((line, number) => {
            const sign = SIGNS[line.charAt(0)];
            if (sign === "place") return null;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name than their place
              <span key={number} className={styles.line} data-sign={sign}>
                {withShortUploads(line) || " "}
              </span>
            );
          })}
        </pre>
      )}
    </div>
  );
}
