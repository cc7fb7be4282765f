import { useEffect, useRef } from "react";
import type { Edits, Kind, Notebook, NotebookCell } from "../api/notebooks";
import type { Names } from "../editor/names";
import { say } from "../state/toast";
import type { CellCommand } from "./commands";
import { focusCell } from "./focusCell";
import { suggestName } from "./suggestName";

type Copied = Pick<NotebookCell, "kind" | "values">;

/** A cell that was cut or copied; it may be pasted into another notebook. */
let copied: Copied | undefined;

/** Does what keys and menus ask of a cell; a cell that was put in gets the focus once it is there. */
export function useCommands(
  notebook: Notebook,
  kinds: Kind[],
  names: Names,
  edits: Edits,
  undo: () => void,
  chooseKind: (position: number) => void,
) {
  const wanted = useRef<string>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a cell that is waited for comes with the list of cells
  useEffect(() => {
    if (wanted.current !== undefined && focusCell(wanted.current, "text")) wanted.current = undefined;
  }, [notebook.cells]);

  /** Without values the new cell is a draft: empty, and neither checked nor run before it is filled in. */
  const add = (kind: string, position: number, values: Record<string, unknown> = {}) =>
    edits.add.mutate(
      { kind, values, position, is_draft: Object.keys(values).length === 0 },
      {
        onSuccess: ({ cell }) => {
          if (!focusCell(cell?.id, "text")) wanted.current = cell?.id;
        },
      },
    );

  const act = (command: CellCommand, cell: NotebookCell) => {
    const position = notebook.cells.findIndex((each) => each.id === cell.id);
    const beside = (step: number) => notebook.cells[position + step]?.id;
    switch (command) {
      case "interrupt":
        return edits.cancel.mutate(cell.id);
      case "leave":
        return void focusCell(cell.id);
      case "edit":
        return void focusCell(cell.id, "text");
      case "goUp":
        return void focusCell(beside(-1));
      case "goDown":
        return void focusCell(beside(1));
      case "runAndGoOn":
        if (!focusCell(beside(1))) add("sql", position + 1);
        return;
      case "runAndInsert":
      case "insertBelow":
        return add("sql", position + 1);
      case "chooseKind":
        return chooseKind(position + 1);
      case "insertAbove":
        return add("sql", position);
      case "moveUp":
        return position > 0 ? edits.move.mutate({ cell: cell.id, position: position - 1 }) : undefined;
      case "moveDown":
        return edits.move.mutate({ cell: cell.id, position: position + 1 });
      case "copy":
        copied = { kind: cell.kind, values: cell.values };
        return say({ text: "Cell copied; V puts it in below a cell." });
      case "cut":
        copied = { kind: cell.kind, values: cell.values };
        focusCell(beside(1) ?? beside(-1));
        edits.remove.mutate(cell.id);
        return say({ text: "Cell deleted.", action: { label: "Undo", run: undo } });
      case "paste":
        return copied && add(copied.kind, position + 1, copied.values);
      case "undo":
        return undo();
      case "freeze":
        return cell.status === "frozen" ? edits.thaw.mutate(cell.id) : edits.freeze.mutate(cell.id);
      case "toMarkdown":
        return become(cell, "markdown");
      case "toSql":
        return become(cell, "sql");
      case "toPython":
        return become(cell, "python");
    }
  };

  /** The same text as another kind of cell; an empty one stays a draft. */
  const become = (cell: NotebookCell, kind: string) => {
    const { source } = cell.values;
    const isEmpty = cell.status === "draft";
    if (cell.kind === kind || !(isEmpty || typeof source === "string")) return;
    const next = kinds.find((each) => each.name === kind);
    const name = isEmpty || !next ? undefined : suggestName(cell, next, notebook, names, "");
    edits.change.mutate(
      {
        cell: cell.id,
        kind,
        values: { ...(!isEmpty && { source }), ...(name && { name }) },
        base_version: notebook.version,
      },
      { onError: (error) => say({ text: error.message }) },
    );
  };

  return { act, add };
}
