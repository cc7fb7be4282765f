import type { Schemas } from "../api/client";
import type { Sort } from "../results/rowView";
import { COLUMN_CHANGES, changesFor } from "../sheet/columnChanges";
import type { Dialog } from "../sheet/dialogs";
import type { MenuItem } from "../ui/MenuList";

type Column = Schemas["Column"];
type Ask = {
  sort: Sort | undefined;
  onSort: (sort: Sort | undefined) => void;
  onFilter: (column: string) => void;
  /** Adds a check, or opens the sheet with a dialog; undefined where nothing can be edited. */
  edit: { onCheck: (column: string) => void; onDialog: (dialog: Dialog) => void } | undefined;
};

/** What can be done to a column of a dataset that is read: look at it otherwise, or change it in the sheet. */
export function columnMenu({ name, type }: Column, { sort, onSort, onFilter, edit }: Ask): MenuItem[] {
  const isSorted = (direction: Sort["direction"]) => sort?.column === name && sort.direction === direction;
  const looks: MenuItem[] = [
    { label: "Sort ascending", isOff: isSorted("asc"), run: () => onSort({ column: name, direction: "asc" }) },
    { label: "Sort descending", isOff: isSorted("desc"), run: () => onSort({ column: name, direction: "desc" }) },
    ...(sort?.column === name ? [{ label: "Do not sort", run: () => onSort(undefined) }] : []),
    { label: "Filter…", run: () => onFilter(name) },
  ];
  if (edit === undefined) return looks;
  const { onCheck, onDialog } = edit;
  return [
    ...looks,
    { label: "Add a check…", run: () => onCheck(name) },
    { label: "State a range…", run: () => onDialog({ kind: "range", column: name }) },
    "line",
    ...(type === "string"
      ? [{ label: "Merge similar values…", run: () => onDialog({ kind: "cluster", column: name }) }]
      : []),
    ...changesFor(type).map((change) => ({
      label: `${COLUMN_CHANGES[change].label}…`,
      run: () => onDialog({ kind: "change", change, column: name }),
    })),
    "line",
    { label: "Add a column…", run: () => onDialog({ kind: "add", after: name }) },
    { label: "Rename…", run: () => onDialog({ kind: "rename", column: name }) },
  ];
}
