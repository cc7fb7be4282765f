import { lazy, Suspense, useState } from "react";
import type { Dataset } from "../api/client";
import { type RowQuery, useCell } from "../api/queries";
import { Grid } from "../grid/Grid";
import { FilterForm } from "../results/FilterForm";
import type { Sort } from "../results/rowView";
import type { Dialog } from "../sheet/dialogs";
import type { Filter } from "../sheet/filters";
import { focusRegion } from "../shell/regions";
import { goTo, type Place } from "../state/place";
import { AnchoredMenu } from "../ui/AnchoredMenu";
import { Notice } from "../ui/Notice";
import { columnMenu } from "./columnMenu";
import { InputsPane } from "./InputsPane";

const AddCheckDialog = lazy(() => import("../checks/AddCheckDialog"));

type Props = {
  dataset: Dataset;
  datasets: Dataset[];
  place: Place;
  query: RowQuery;
  /** The filters that hold; undefined while nobody filters. */
  filters: Filter[] | undefined;
  onFilters: (filters: Filter[]) => void;
  sort: Sort | undefined;
  onSort: (sort: Sort | undefined) => void;
  /** Shows the form of filters. */
  onFilter: () => void;
  onInspect: () => void;
  /** Edit the selected cell; undefined where nothing can be edited. */
  onEdit: ((dialog?: Dialog) => void) | undefined;
};

/** The rows of a dataset to read, and below them the rows they came from. */
export function DatasetRows(props: Props) {
  const { dataset, datasets, place, query, filters, onFilters, sort, onSort, onFilter, onInspect, onEdit } = props;
  const [count, setCount] = useState<number>();
  const [menu, setMenu] = useState<{ column: string; anchor: DOMRect }>();
  const [checked, setChecked] = useState<string>();
  const [filtered, setFiltered] = useState<string>();
  const shown = useCell(dataset, place.row, place.column);
  const column = dataset.columns.findIndex((c) => c.name === place.column);
  const selected =
    place.row !== undefined && place.row < dataset.rows && column >= 0 ? { row: place.row, column } : undefined;
  const start =
    filtered !== undefined && filtered !== shown.data?.column ? { column: filtered, value: null } : shown.data;
  const menuColumn = dataset.columns.find(({ name }) => name === menu?.column);
  const hasInputs = dataset.made_from.length > 0;
  return (
    <>
      {filters && (
        <FilterForm
          key={filtered}
          name={dataset.name}
          columns={dataset.columns}
          filters={filters}
          shown={count}
          all={dataset.rows}
          start={start && { column: start.column, value: start.value }}
          problem={undefined}
          onFilters={onFilters}
        />
      )}
      {dataset.rows === 0 ? (
        <Notice title={`${dataset.name} has no rows.`}>{dataset.columns.map((c) => c.name).join(", ")}</Notice>
      ) : (
        <Grid
          key={`${query.sort} ${query.filter}`}
          dataset={dataset}
          label={dataset.name}
          query={query}
          sort={sort}
          selected={selected}
          onMove={(to) => goTo({ ...place, row: to.row, column: dataset.columns[to.column]?.name ?? "" })}
          onOpen={() => {
            onInspect();
            focusRegion("inspector");
          }}
          onEdit={onEdit && (() => onEdit())}
          onColumnMenu={(name, anchor) => setMenu({ column: name, anchor })}
          onCount={setCount}
          isFitted={hasInputs}
        />
      )}
      {menu && menuColumn && (
        <AnchoredMenu
          label={`Column ${menu.column}`}
          anchor={menu.anchor}
          onClose={() => setMenu(undefined)}
          items={columnMenu(menuColumn, {
            sort,
            onSort,
            onFilter: (name) => {
              setFiltered(name);
              onFilter();
            },
            edit: onEdit && { onCheck: setChecked, onDialog: onEdit },
          })}
        />
      )}
      {checked !== undefined && (
        <Suspense fallback={null}>
          <AddCheckDialog dataset={dataset} column={checked} onClose={() => setChecked(undefined)} />
        </Suspense>
      )}
      {hasInputs && <InputsPane dataset={dataset} datasets={datasets} place={place} />}
    </>
  );
}
