import type { Schemas } from "../api/client";
import { useAbout } from "../api/queries";
import { DownloadMenu } from "../dataset/DownloadMenu";
import { writeFilters } from "../sheet/filters";
import { Menu } from "../ui/Menu";
import { Tool } from "../ui/Tool";
import { Toolbar } from "../ui/Toolbar";
import styles from "./ResultTools.module.css";
import { nextSort, type RowView, type Sort } from "./rowView";

type Props = {
  /** Below a cell of a notebook, or above a dataset that is read or edited: the switch to the other stands there. */
  mode: "cell" | "view" | "edit";
  dataset: { name: string; version: number; rows: number };
  columns: Schemas["Column"][];
  view: RowView;
  isFiltering: boolean;
  onSort: (sort: Sort | undefined) => void;
  onFilter: () => void;
  onCopy: () => void;
  /** Shows more rows, or the few of before; undefined where all are shown. */
  more?: { hasMore: boolean; run: () => void } | undefined;
  /** The chart whose marks these are. */
  chart: string | undefined;
  /** Asks why values look odd; undefined where nobody can ask. */
  onExplain?: (() => void) | undefined;
};

/** Everything that can be done with a result, in one quiet row. */
export function ResultTools(props: Props) {
  const { mode, dataset, columns, view, isFiltering, onSort, more, chart, onExplain } = props;
  const about = useAbout().data;
  const isShared = about === undefined || Boolean(about.shared);
  const { name } = dataset;
  const filter = writeFilters(view.filters);
  return (
    <Toolbar label={`Tools of ${name}`} className={styles.tools ?? ""}>
      {!isShared && (
        <>
          <Tool
            icon="chart"
            text="Chart"
            label={chart === undefined ? `Draw ${name} as a chart` : "Change the chart"}
            place={chart === undefined ? { view: "chart", dataset: name } : { view: "chart", chart }}
          />
          {mode === "cell" && (
            <Tool
              icon="edit"
              text="Edit"
              label={`Edit ${name} as a sheet`}
              place={{ view: "sheet", dataset: name, ...(filter !== undefined && { filter }) }}
            />
          )}
        </>
      )}
      {mode !== "edit" && (
        <>
          <Tool icon="filter" text="Filter" label={`Filter ${name}`} isOn={isFiltering} run={props.onFilter} />
          <Menu
            icon="sort"
            toolText="Sort"
            label={`Sort ${name}`}
            items={columns.map((column) => ({
              label: column.name,
              keys: view.sort?.column === column.name ? (view.sort.direction === "asc" ? "↑" : "↓") : "",
              run: () => onSort(nextSort(view.sort, column.name)),
            }))}
          />
        </>
      )}
      {more && (
        <Tool
          icon="rows"
          text={more.hasMore ? "More rows" : "Fewer rows"}
          label={more.hasMore ? `More rows of ${name}` : `Fewer rows of ${name}`}
          run={more.run}
        />
      )}
      {mode !== "edit" && <Tool icon="copy" text="Copy" label={`Copy ${name} as a table`} run={props.onCopy} />}
      <DownloadMenu dataset={dataset} toolText="Download" />
      {!isShared && (
        <>
          <Tool icon="warn" text="Caveats" label={`Caveats of ${name}`} place={{ view: "caveats", dataset: name }} />
          <Tool icon="graph" text="Lineage" label={`Lineage of ${name}`} place={{ view: "lineage", dataset: name }} />
          {chart !== undefined ? (
            <Tool
              icon="question"
              text="Explain"
              label="Explain: why does it look odd?"
              place={{ view: "explain", chart }}
            />
          ) : (
            onExplain && <Tool icon="question" text="Explain" label={`Explain values of ${name}`} run={onExplain} />
          )}
        </>
      )}
    </Toolbar>
  );
}
