import type { NotebookCell } from "../api/notebooks";
import { hasOwnSize } from "../chart/fitted";
import type { OddValue } from "../results/oddValue";
import { goTo } from "../state/place";
import { PlaceLink } from "../ui/PlaceLink";
import styles from "./CellOutput.module.css";
import { Display } from "./Display";
import { Preview } from "./Preview";
import { Traceback } from "./Traceback";

type Props = {
  notebook: string;
  cell: NotebookCell;
  isOld: boolean;
  /** Asks why a value looks odd. */
  onExplain?: (odd: OddValue) => void;
};

/** What a cell made and showed; a cell that failed says what went wrong, in one sentence first. */
export function CellOutput({ notebook, cell, isOld, onExplain }: Props) {
  const { error, displays, datasets } = cell;
  const marks = cell.kind === "chart" ? datasets[0]?.name : undefined;
  const chart = marks && `${marks}@${datasets[0]?.version}`;
  const inspect = (dataset: string, row: number, column: string) => goTo({ notebook, dataset, row, column });
  if (!error && displays.length === 0 && datasets.length === 0) return null;
  return (
    <div
      className={styles.output}
      data-old={isOld || cell.status === "stale" || cell.status === "cancelled" || undefined}
    >
      {error && (
        <div className={styles.error} role="alert">
          <p>{`${error.message}${error.line === null || error.message.includes("(line ") ? "" : ` (line ${error.line})`}`}</p>
          {error.hint && <p className={styles.hint}>{error.hint}</p>}
          {error.traceback && (
            <details>
              <summary>Where it happened</summary>
              <Traceback text={error.traceback} />
            </details>
          )}
        </div>
      )}
      {displays.map((display, number) => (
        <Display
          // biome-ignore lint/suspicious/noArrayIndexKey: outputs have no other name than their place
          key={number}
          display={display}
          isNote={cell.kind === "markdown"}
          isFitted={cell.kind === "chart" && !hasOwnSize(cell.values.spec)}
          label={marks === undefined ? "Chart" : `Chart ${marks}; its marks are in the table below`}
          onCell={inspect}
          onMark={marks === undefined ? undefined : (mark) => inspect(marks, mark, "y")}
        />
      ))}
      {chart && displays.length > 0 && (
        <p className={styles.ways}>
          <PlaceLink place={{ view: "canvas" }}>Linked charts</PlaceLink>
        </p>
      )}
      {datasets.map((dataset) => (
        <Preview
          isFolded={dataset.name === marks}
          key={`${dataset.name}@${dataset.version}`}
          dataset={dataset}
          chart={dataset.name === marks ? chart : undefined}
          onExplain={canExplain(cell) ? onExplain : undefined}
          onCell={(row, column) => inspect(dataset.name, row, column)}
        />
      ))}
    </div>
  );
}

/** A loaded file and a list of answers hold no aggregate that could be explained. */
function canExplain({ kind }: NotebookCell): boolean {
  return kind !== "load" && kind !== "explain";
}
