import type { MenuItem } from "../ui/MenuList";
import { type ChangeName, COLUMN_CHANGES, changesFor } from "./columnChanges";
import type { Layout } from "./layout";
import type { SheetSession } from "./SheetSession";

export type ColumnAsk = {
  filter: (column: string) => void;
  facet: (column: string) => void;
  cluster: (column: string) => void;
  /** Check a column of the dataset below the sheet. */
  check: (column: string) => void;
  /** State between which values its cells lie. */
  range: (column: string) => void;
  change: (change: ChangeName, column: string) => void;
  add: (after: string) => void;
  rename: (column: string) => void;
  insert: (after: string | null) => void;
  layout: (change: Partial<Layout>) => void;
};

const STEP = 40;

/** What can be done to a column. */
export function columnItems(
  session: SheetSession,
  at: number,
  layout: Layout,
  width: number,
  ask: ColumnAsk,
): MenuItem[] {
  const { columns } = session;
  const { name = "", type = "", base = null } = columns[at] ?? {};
  const nameAt = (place: number) => columns[place]?.name ?? null;
  const isFrozen = at < layout.frozen;
  const widen = (by: number) => ask.layout({ widths: { ...layout.widths, [name]: width + by } });
  return [
    { label: "Sort ascending", run: () => session.do("sort", { by: [[name, "asc"]] }) },
    { label: "Sort descending", run: () => session.do("sort", { by: [[name, "desc"]] }) },
    { label: "Filter…", run: () => ask.filter(name) },
    { label: "Choose from its values…", run: () => ask.facet(name) },
    { label: "Add a check…", isOff: base === null, run: () => ask.check(base ?? name) },
    { label: "State a range…", isOff: base === null, run: () => ask.range(base ?? name) },
    "line",
    { label: "Merge similar values…", isOff: type !== "string", run: () => ask.cluster(name) },
    ...changesFor(type).map((each) => ({
      label: `${COLUMN_CHANGES[each].label}…`,
      run: () => ask.change(each, name),
    })),
    "line",
    { label: "Add a column…", run: () => ask.add(name) },
    { label: "Insert column left…", run: () => ask.insert(nameAt(at - 1)) },
    { label: "Insert column right…", run: () => ask.insert(name) },
    { label: "Rename…", run: () => ask.rename(name) },
    { label: "Move left", isOff: at === 0, run: () => moveColumn(session, at, at - 1) },
    { label: "Move right", isOff: at >= columns.length - 1, run: () => moveColumn(session, at, at + 2) },
    { label: "Delete column", run: () => session.do("delete_column", { column: name }) },
    "line",
    isFrozen
      ? { label: "Unfreeze columns", run: () => ask.layout({ frozen: 0 }) }
      : { label: "Freeze up to here", run: () => ask.layout({ frozen: at + 1 }) },
    {
      label: "Hide column",
      isOff: columns.filter((each) => !layout.hidden.includes(each.name)).length < 2,
      run: () => ask.layout({ hidden: [...layout.hidden, name] }),
    },
    { label: "Wider", run: () => widen(STEP) },
    { label: "Narrower", run: () => widen(-STEP) },
  ];
}

/** Puts a column before another place, counted as the columns stand now. */
export function moveColumn(session: SheetSession, from: number, to: number): void {
  const column = session.columns[from]?.name;
  if (column === undefined || to === from || to === from + 1) return;
  session.do("move_column", { column, after: to === 0 ? null : (session.columns[to - 1]?.name ?? null) });
}
