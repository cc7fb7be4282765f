import type { Schemas } from "../api/client";
import { type Shown, show } from "../text/value";

type Ref = Schemas["InputCell"];
export type RefGroup = { role: Ref["role"]; column: string; refs: Ref[] };

/** Input cells that played the same part and stand in the same column, in the order they were met. */
export function groupRefs(refs: Ref[]): RefGroup[] {
  const groups = new Map<string, RefGroup>();
  for (const ref of refs) {
    const key = JSON.stringify([ref.role, ref.column]);
    const group = groups.get(key) ?? { role: ref.role, column: ref.column, refs: [] };
    group.refs.push(ref);
    groups.set(key, group);
  }
  return [...groups.values()];
}

export type DistinctValue = { shown: Shown; isDoubtful: boolean; first: number; count: number };

/** The values of a group, equal ones together with the row of the first; a doubtful value stays apart from a sure one. */
export function distinctValues(group: RefGroup, isDoubtful: (row: number) => boolean): DistinctValue[] {
  const values = new Map<string, DistinctValue>();
  for (const { row, value } of group.refs) {
    const doubtful = isDoubtful(row);
    const key = JSON.stringify([value, doubtful]);
    const known = values.get(key);
    if (known) known.count++;
    else values.set(key, { shown: show(value), isDoubtful: doubtful, first: row, count: 1 });
  }
  return [...values.values()];
}
