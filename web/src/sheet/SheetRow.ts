import type { SheetPage } from "./api";

/** A row of a sheet as the server last told it. */
export type SheetRow = {
  values: readonly unknown[];
  marks: readonly number[];
  edited: readonly number[];
  isDoubtful: boolean;
  /** The row of the data behind it; null for one that was inserted. */
  rid: number | null;
  /** The line of the loaded file on which it begins. */
  line: number | null;
  /** What names it through all changes. */
  key: string;
  /** Where it stands in the sheet, filters aside. */
  position: number;
  errors: ReadonlyMap<number, string>;
  formulas: ReadonlyMap<number, string>;
  /** How many operations had been answered when it was asked for. */
  revision: number;
};

const NONE: ReadonlyMap<number, string> = new Map();

export function toSheetRows(page: SheetPage, revision: number): SheetRow[] {
  const columns = new Map(page.columns.map((column, i) => [column.name, i]));
  const errors = byRow(page.errors, columns);
  const formulas = byRow(page.formulas, columns);
  return page.rows.map((values, i) => {
    const position = page.positions[i] ?? page.offset + i;
    return {
      values,
      marks: page.marks[i] ?? [],
      edited: page.edited[i] ?? [],
      isDoubtful: page.row_marks[i] ?? false,
      rid: page.rids[i] ?? null,
      line: page.lines[i] ?? null,
      key: page.keys[i] ?? "",
      position,
      errors: errors.get(position) ?? NONE,
      formulas: formulas.get(position) ?? NONE,
      revision,
    };
  });
}

function byRow(notes: SheetPage["errors"], columns: ReadonlyMap<string, number>): Map<number, Map<number, string>> {
  const found = new Map<number, Map<number, string>>();
  for (const { row, column, text } of notes) {
    const at = columns.get(column);
    if (at !== undefined) found.set(row, (found.get(row) ?? new Map()).set(at, text));
  }
  return found;
}
