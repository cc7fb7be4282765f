import type { Edits, Notebook, NotebookCell } from "../api/notebooks";
import { keysFor } from "../state/keymap";
import { Menu } from "../ui/Menu";
import type { CellCommand } from "./commands";

type Props = {
  notebook: Notebook;
  cell: NotebookCell;
  edits: Edits;
  onCommand: (command: CellCommand) => void;
  /** Shows the cell as SQL and as Python, or hides that again; undefined for a cell that has no other form. */
  onCode: (() => void) | undefined;
};

/** All that can be done to a cell, with the keys that do it. */
export function CellMenu({ notebook, cell, edits, onCommand, onCode }: Props) {
  const position = notebook.cells.findIndex((each) => each.id === cell.id);
  const isFrozen = cell.status === "frozen";
  return (
    <Menu
      label={`More for cell ${cell.id}`}
      items={[
        { label: "Run with what it needs", keys: keysFor("runUpstream"), run: () => onCommand("runUpstream") },
        { label: "Run with all below", run: () => edits.run.mutate({ cell: cell.id, what: "below", again: true }) },
        { label: "Move up", keys: keysFor("moveUp"), isOff: position === 0, run: () => onCommand("moveUp") },
        {
          label: "Move down",
          keys: keysFor("moveDown"),
          isOff: position === notebook.cells.length - 1,
          run: () => onCommand("moveDown"),
        },
        { label: "Add above", keys: keysFor("insertAbove"), run: () => onCommand("insertAbove") },
        { label: "Add below", keys: keysFor("insertBelow"), run: () => onCommand("insertBelow") },
        { label: "Choose what to add…", keys: keysFor("chooseKind"), run: () => onCommand("chooseKind") },
        ...(onCode ? [{ label: "Show as SQL or Python", run: onCode }] : []),
        { label: "Copy", keys: keysFor("copy"), run: () => onCommand("copy") },
        { label: isFrozen ? "Thaw" : "Freeze", keys: keysFor("freeze"), run: () => onCommand("freeze") },
        { label: "Delete", keys: keysFor("cut"), run: () => onCommand("cut") },
      ]}
    />
  );
}
