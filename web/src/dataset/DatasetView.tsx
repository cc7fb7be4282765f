import type { Dataset } from "../api/client";
import { Grid } from "../grid/Grid";
import { goTo, type Place } from "../state/place";
import { Notice } from "../ui/Notice";
import { DatasetHeader } from "./DatasetHeader";
import { InputsPane } from "./InputsPane";

type Props = { dataset: Dataset; datasets: Dataset[]; place: Place; onInspect: () => void };

/** One dataset: what it is, its rows, and below them the rows they came from. */
export function DatasetView({ dataset, datasets, place, onInspect }: Props) {
  const column = dataset.columns.findIndex((c) => c.name === place.column);
  const cursor =
    place.row !== undefined && place.row < dataset.rows && column >= 0 ? { row: place.row, column } : undefined;
  const hasInputs = dataset.made_from.length > 0;
  return (
    <>
      <DatasetHeader dataset={dataset} />
      {dataset.rows === 0 ? (
        <Notice title={`${dataset.name} has no rows.`}>{dataset.columns.map((c) => c.name).join(", ")}</Notice>
      ) : (
        <Grid
          dataset={dataset}
          label={dataset.name}
          cursor={cursor}
          onMove={(to) => goTo({ dataset: dataset.name, row: to.row, column: dataset.columns[to.column]?.name ?? "" })}
          onOpen={onInspect}
          isFitted={hasInputs}
        />
      )}
      {hasInputs && <InputsPane dataset={dataset} datasets={datasets} place={place} />}
    </>
  );
}
