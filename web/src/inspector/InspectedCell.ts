import type { Dataset } from "../api/client";
import type { SheetColumn } from "../sheet/api";
import type { CellLook } from "../sheet/cellLook";
import type { Place } from "../state/place";

/** The cell that the inspector is about, as the grid shows it, whether the dataset is read or edited. */
export type InspectedCell = {
  column: string;
  type: string;
  /** Its row as the grid counts it, from 0. */
  position: number;
  /** Where its value stands in the data; undefined for what was inserted in a sheet. */
  data: { row: number; column: string } | undefined;
  /** What a sheet knows beyond the data below it; undefined while the dataset is only read. */
  edit?: CellEdit;
};

export type CellEdit = {
  dataset: string;
  /** The version of the data below the sheet. */
  version: number;
  sheet: string;
  /** What names the row through all changes of the sheet. */
  row: string;
  column: SheetColumn;
  look: CellLook;
  isRowDoubtful: boolean;
  operations: number;
  /** How many operations had been answered: the history is read again after another. */
  revision: number;
  /** Forgets what was typed; undefined unless the server refused it. */
  onGiveUp: (() => void) | undefined;
};

/** The cell at a place of a dataset that is read. */
export function cellAt(dataset: Dataset, { row, column }: Place): InspectedCell | undefined {
  if (row === undefined || column === undefined) return undefined;
  const type = dataset.columns.find(({ name }) => name === column)?.type ?? "";
  return { column, type, position: row, data: { row, column } };
}
