import type { Schemas } from "../api/client";

/** Rows and cells of a dataset that stand behind a cell of another one. */
export type Lit = {
  first: number | undefined;
  rows: ReadonlySet<number>;
  cells: ReadonlyMap<number, ReadonlySet<number>>;
};

/** What a step of a trace lights up in its dataset. */
export function litBy(step: Schemas["TraceStep"]): Lit {
  const cells = new Map<number, Set<number>>();
  for (const { row, column } of step.refs) {
    const position = step.rows.columns.indexOf(column);
    if (position < 0) continue;
    const used = cells.get(row) ?? new Set();
    cells.set(row, used.add(position));
  }
  return { first: step.rows.rids[0], rows: new Set(step.rows.rids), cells };
}
