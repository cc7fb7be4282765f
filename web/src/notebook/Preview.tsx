import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../api/client";
import { fetchPage, firstRows, useDatasets } from "../api/queries";
import { copyTable } from "../results/copyTable";
import { FilterForm } from "../results/FilterForm";
import { type OddValue, oddValue } from "../results/oddValue";
import { ResultNotes } from "../results/ResultNotes";
import { ResultTools } from "../results/ResultTools";
import { FEW_ROWS, MOST_ROWS, moreRows, nextSort, type Sort, viewQuery, WHOLE } from "../results/rowView";
import { parsePlace, useSearch } from "../state/place";
import { say } from "../state/toast";
import { count } from "../text/words";
import { DoubtBadge } from "../ui/DoubtBadge";
import { PlaceLink } from "../ui/PlaceLink";
import styles from "./Preview.module.css";
import { type OnCell, PreviewRows } from "./PreviewRows";

const HEAD = 25;
const ROW = 28;

type Props = {
  dataset: Schemas["MadeDataset"];
  onCell: OnCell;
  isFolded: boolean;
  /** The chart whose marks these are. */
  chart?: string | undefined;
  onExplain?: ((odd: OddValue) => void) | undefined;
};

/** The first rows of a dataset a cell made, doubtful cells in red; a value leads to its origin, the name to all rows. */
export function Preview({ dataset, onCell, isFolded, chart, onExplain }: Props) {
  const { name, version } = dataset;
  const [view, setView] = useState(WHOLE);
  const [few, setFew] = useState(FEW_ROWS);
  const [isFiltering, setFiltering] = useState(false);
  const [columns, setColumns] = useState<Schemas["Column"][]>([]);
  const query = viewQuery(view, columns);
  const fetchRows = (offset: number, limit: number, signal?: AbortSignal) =>
    fetchPage(dataset, { offset, limit }, query, signal);
  const page = useQuery({
    ...firstRows(dataset, query, few),
    placeholderData: keepPreviousData,
  });
  if (page.data && columns.length === 0 && page.data.columns.length > 0) setColumns(page.data.columns);
  const place = parsePlace(useSearch());
  const isCurrent = useDatasets().data?.some((each) => each.name === name && each.version === version);
  const selected = isCurrent && place.dataset === name ? place : undefined;
  const copy = () =>
    void copyTable(fetchRows).then(
      (text) => say({ text }),
      (error: Error) => say({ text: error.message }),
    );
  const explain = () => {
    const odd = page.data && oddValue(page.data, selected?.row, selected?.column);
    if (odd) onExplain?.(odd);
    else say({ text: `Click the number of ${name} that looks odd, then Explain.` });
  };
  const sortBy = (sort: Sort | undefined) => setView({ ...view, sort });
  const passing = page.data?.count ?? dataset.rows;
  const hasMore = few < Math.min(passing, MOST_ROWS);
  const rows = page.data ? (
    <PreviewRows
      label={`${view.filters.length > 0 || view.sort ? "Rows" : "First rows"} of ${name}`}
      page={page.data}
      selected={selected}
      sort={view.sort}
      onCell={onCell}
      onSort={(column) => sortBy(nextSort(view.sort, column))}
    />
  ) : (
    <div style={{ height: HEAD + ROW * Math.min(FEW_ROWS, dataset.rows) }} />
  );
  return (
    <div className={styles.result}>
      <div className={styles.name}>
        <PlaceLink place={{ dataset: name }}>{name}</PlaceLink>
        <span>{count(dataset.rows, "row")}</span>
        {dataset.is_doubtful && <DoubtBadge>doubtful</DoubtBadge>}
        <ResultTools
          mode="cell"
          dataset={dataset}
          columns={columns}
          view={view}
          isFiltering={isFiltering}
          chart={chart}
          onSort={sortBy}
          more={hasMore || few > FEW_ROWS ? { hasMore, run: () => setFew(moreRows(few, passing)) } : undefined}
          onFilter={() => {
            setFiltering(!isFiltering);
            setView({ ...view, filters: [] });
          }}
          onCopy={copy}
          onExplain={onExplain && explain}
        />
      </div>
      {isFiltering && (
        <FilterForm
          name={name}
          columns={columns}
          filters={view.filters}
          shown={page.data?.count}
          all={dataset.rows}
          problem={page.error?.message}
          onFilters={(filters) => setView({ ...view, filters })}
        />
      )}
      {isFolded ? (
        <details className={styles.folded}>
          <summary>The first marks as a table</summary>
          {rows}
        </details>
      ) : (
        rows
      )}
      {chart === undefined && <ResultNotes name={name} version={version} />}
    </div>
  );
}
