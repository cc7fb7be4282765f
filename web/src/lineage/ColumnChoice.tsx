import type { Dataset } from "../api/client";
import { setParams } from "../state/params";
import styles from "./Toolbar.module.css";

type Props = { datasets: Dataset[]; dataset: Dataset; column: string };

/** Which column of which dataset the graph is about. */
export function ColumnChoice({ datasets, dataset, column }: Props) {
  const choose = (next: { dataset: string; column?: string }) =>
    setParams({ dataset: next.dataset, column: next.column, row: undefined, node: undefined }, true);
  return (
    <span className={styles.pick}>
      <select aria-label="Dataset" value={dataset.name} onChange={(event) => choose({ dataset: event.target.value })}>
        {datasets.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <select
        aria-label="Column"
        value={column}
        onChange={(event) => choose({ dataset: dataset.name, column: event.target.value })}
      >
        {dataset.columns.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </span>
  );
}
