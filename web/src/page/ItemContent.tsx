import type { Notebook } from "../api/notebooks";
import type { Brushes } from "../charts/useBrushes";
import { Display } from "../notebook/Display";
import { goTo } from "../state/place";
import type { Item } from "./grid";
import styles from "./Page.module.css";
import { PageChart } from "./PageChart";
import { PageInput } from "./PageInput";
import { PageTable } from "./PageTable";

export type Linked = { link: string; tables: string[]; brushes: Brushes };

type Props = {
  notebook: Notebook;
  item: Item;
  label: string;
  linked: Linked | undefined;
  onSet: (values: Record<string, unknown>) => void;
};

/** What an item shows of its cell; values and marks lead to their origin. */
export function ItemContent({ notebook, item, label, linked, onSet }: Props) {
  const cell = notebook.cells.find(({ id }) => id === item.cell);
  if (!cell) return <p className={styles.problem}>{`Cell ${item.cell} is gone.`}</p>;
  const inspect = (dataset: string, row: number, column: string) =>
    goTo({ notebook: notebook.name, face: "page", dataset, row, column });
  if (item.shows === "input")
    return <PageInput item={item} label={label} isReadOnly={notebook.is_read_only ?? false} onSet={onSet} />;
  if (cell.error) return <p className={styles.problem} role="alert">{`${cell.error.message} ${cell.error.hint}`}</p>;
  if (item.shows === "table") {
    const dataset = cell.datasets.find(
      ({ name }) => item.name === "" || name.toLowerCase() === item.name.toLowerCase(),
    );
    if (!dataset) return <Nothing status={cell.status} what={item.name === "" ? "a dataset" : item.name} />;
    const place = linked?.tables.indexOf(`${dataset.name}@${dataset.version}`) ?? -1;
    return (
      <PageTable
        dataset={dataset}
        link={linked?.link}
        place={place}
        brushes={linked?.brushes}
        onCell={(row, column) => inspect(dataset.name, row, column)}
      />
    );
  }
  if (item.shows === "chart") {
    const marks = cell.datasets[0]?.name;
    if (marks === undefined) return <Nothing status={cell.status} what="a chart" />;
    return (
      <PageChart
        display={cell.displays[0]}
        marks={marks}
        hasTitle={Boolean(item.title)}
        brushes={linked?.brushes}
        onMark={(mark) => inspect(marks, mark, "y")}
      />
    );
  }
  if (cell.displays.length === 0) return <Nothing status={cell.status} what="text" />;
  return (
    <div className={styles.text}>
      {cell.displays.map((display, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outputs have no other name than their place
        <Display key={number} display={display} isNote={cell.kind === "markdown"} label={label} onCell={inspect} />
      ))}
    </div>
  );
}

/** Why there is nothing to show. */
function Nothing({ status, what }: { status: string; what: string }) {
  const isComing = status === "running" || status === "waiting";
  return (
    <p className={styles.nothing}>
      {isComing
        ? "Its cell is running."
        : status === "ready"
          ? `Its cell does not make ${what}.`
          : "Its cell has not run."}
    </p>
  );
}
