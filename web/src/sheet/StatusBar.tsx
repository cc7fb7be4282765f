import { count, number } from "../text/words";
import type { SheetSession } from "./SheetSession";
import styles from "./StatusBar.module.css";
import { type Box, cellsIn } from "./selection";
import { useSummary } from "./useSummary";

type Props = { session: SheetSession; box: Box | undefined; message: string };

const ROUNDED = new Intl.NumberFormat("en", { maximumSignificantDigits: 9 });

/** How many rows, what the selection comes to, how quick the last page was, and what has just happened. */
export function StatusBar({ session, box, message }: Props) {
  const { count: shown, sheet, where, latency } = session;
  const summary = useSummary(session, box).data;
  const hasSelection = box !== undefined && cellsIn(box) > 1;
  return (
    <footer className={styles.bar}>
      <span>
        {where === undefined ? count(sheet.count, "row") : `${number(shown)} of ${count(sheet.count, "row")}`}
        {" × "}
        {count(session.columns.length, "column")}
      </span>
      <span role="status" className={styles.message}>
        {message}
      </span>
      {hasSelection && (
        <span className={styles.summary} role="group" aria-label="Selection">
          <span>{count(cellsIn(box), "cell")}</span>
          {summary && <span>count {number(summary.filled)}</span>}
          {summary && summary.numbers > 0 && (
            <>
              <span>sum {figure(summary.sum)}</span>
              <span>avg {figure(summary.average)}</span>
              <span>
                {figure(summary.min)} … {figure(summary.max)}
              </span>
            </>
          )}
        </span>
      )}
      {latency !== undefined && <span title="The last page, from asking to drawing">{Math.round(latency)} ms</span>}
    </footer>
  );
}

function figure(value: unknown): string {
  return typeof value === "number" ? ROUNDED.format(value) : String(value);
}
