import { lazy, Suspense, useState } from "react";
import type { Dataset } from "../api/client";
import { fetchPage, useAbout } from "../api/queries";
import type { InspectedCell } from "../inspector/InspectedCell";
import { copyTable } from "../results/copyTable";
import { type Sort, shownBy, viewQuery } from "../results/rowView";
import type { Dialog, SheetStart } from "../sheet/dialogs";
import { type Filter, readFilters, writeFilters } from "../sheet/filters";
import { goTo, type Place } from "../state/place";
import { say } from "../state/toast";
import { Skeleton } from "../ui/Skeleton";
import { DatasetHeader } from "./DatasetHeader";
import { DatasetRows } from "./DatasetRows";

const SheetPage = lazy(() => import("../sheet/SheetPage"));

type Props = {
  dataset: Dataset;
  datasets: Dataset[];
  place: Place;
  onInspect: () => void;
  /** The cell that is selected in the sheet; undefined while the dataset is read. */
  edited: InspectedCell | undefined;
  onEdited: (cell: InspectedCell | undefined) => void;
};

/** One dataset, to read or to edit as a sheet: the same header and tools, the same filters and selection. */
export function DatasetView({ dataset, datasets, place, onInspect, edited, onEdited }: Props) {
  const isEditing = place.view === "sheet";
  const [sort, setSort] = useState<Sort>();
  const filters = readFilters(place.filter ?? null).filter(shownBy(dataset.columns));
  const [wantsFilter, setWantsFilter] = useState(false);
  const isFiltering = wantsFilter || filters.length > 0;
  const [start, setStart] = useState<SheetStart>();
  const about = useAbout().data;
  const isShared = about === undefined || Boolean(about.shared);
  const query = viewQuery({ filters, sort }, dataset.columns);
  const { row, column } = edited ? (edited.data ?? {}) : place;
  const here: Place = {
    dataset: dataset.name,
    ...(place.filter !== undefined && { filter: place.filter }),
    ...(row !== undefined && column !== undefined && { row, column }),
  };
  const filterBy = (next: Filter[]) => {
    const { filter: _, ...others } = here;
    const filter = writeFilters(next);
    goTo({ ...others, ...(filter !== undefined && { filter }) });
  };
  const edit = (dialog?: Dialog) => {
    setStart(dialog ?? "typing");
    goTo({ ...here, view: "sheet" });
  };
  const copy = () =>
    void copyTable((offset, limit) => fetchPage(dataset, { offset, limit }, query)).then(
      (text) => say({ text }),
      (error: Error) => say({ text: error.message }),
    );
  return (
    <>
      <DatasetHeader
        dataset={dataset}
        here={here}
        isEditing={isEditing}
        tools={{
          view: { filters, sort },
          isFiltering,
          onSort: setSort,
          onFilter: () => {
            setWantsFilter(!isFiltering);
            if (filters.length > 0) filterBy([]);
          },
          onCopy: copy,
        }}
      />
      {isEditing ? (
        <Suspense fallback={<Skeleton label="Opening the sheet" lines={8} />}>
          <SheetPage
            dataset={dataset}
            place={place}
            onInspect={onInspect}
            start={start}
            onStarted={() => setStart(undefined)}
            onInspected={onEdited}
          />
        </Suspense>
      ) : (
        <DatasetRows
          key={dataset.version}
          dataset={dataset}
          datasets={datasets}
          place={here}
          query={query}
          filters={isFiltering ? filters : undefined}
          onFilters={filterBy}
          sort={sort}
          onSort={setSort}
          onFilter={() => setWantsFilter(true)}
          onInspect={onInspect}
          onEdit={isShared ? undefined : edit}
        />
      )}
    </>
  );
}
