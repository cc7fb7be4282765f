import type { NotebookCell } from "../api/notebooks";
import styles from "./Chips.module.css";
import { readsOf } from "./dependencies";

type Props = { cell: NotebookCell; onLight: (dataset: string | undefined) => void; onGo: (dataset: string) => void };

/** What a cell reads and makes; pointing at a dataset lights the cells that make and read it, a click goes there. */
export function Chips({ cell, onLight, onGo }: Props) {
  const reads = readsOf(cell);
  const makes = cell.datasets.map((dataset) => dataset.name);
  if (reads.length === 0) return null;
  const chip = (name: string, does: "reads" | "makes") => (
    <button
      key={`${does} ${name}`}
      type="button"
      className={styles.chip}
      aria-label={`${does} ${name}`}
      title={does === "reads" ? `Reads ${name}: go to the cell that makes it` : `Makes ${name}`}
      onClick={() => onGo(name)}
      onMouseEnter={() => onLight(name)}
      onMouseLeave={() => onLight(undefined)}
      onFocus={() => onLight(name)}
      onBlur={() => onLight(undefined)}
    >
      {name}
    </button>
  );
  return (
    <span className={styles.chips}>
      {reads.map((name) => chip(name, "reads"))}
      <span aria-hidden="true">→</span>
      {makes.length > 0 ? makes.map((name) => chip(name, "makes")) : "…"}
    </span>
  );
}
