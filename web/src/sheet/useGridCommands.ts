import type { RefObject } from "react";
import type { Direction } from "../api/queries";
import { focusRegion } from "../shell/regions";
import type { OpenMenu } from "./dialogs";
import type { GridCommand } from "./gridKeys";
import { clearCells, fillDown } from "./rowActions";
import type { SheetSession } from "./SheetSession";
import { boxOf, type Selection } from "./selection";

type Sheet = {
  session: SheetSession;
  selection: Selection | undefined;
  scroller: RefObject<HTMLDivElement | null>;
};

/** What a key may ask of the sheet as a whole. */
type Actions = {
  select: (selection: Selection | undefined) => void;
  begin: (isQuick: boolean) => void;
  undo: (operation: "undo" | "redo") => void;
  jump: (direction: Direction) => void;
  find: (what: "find" | "replace") => void;
  inspect: () => void;
  open: (menu: OpenMenu) => void;
  apply: () => void;
  told: (work: Promise<string>) => void;
};

/** Returns what each command of the grid does. */
export function useGridCommands({ session, selection, scroller }: Sheet, actions: Actions) {
  const box = selection && boxOf(selection);
  const openColumnMenu = () => {
    const header = scroller.current?.querySelector(`[data-header="${selection?.cursor.column}"]`);
    if (header && selection)
      actions.open({ kind: "column", column: selection.cursor.column, anchor: header.getBoundingClientRect() });
  };
  return (command: GridCommand) => {
    switch (command.do) {
      case "select":
        return actions.select(command.selection);
      case "edit":
        return actions.begin(command.isQuick);
      case "clear":
        return box && actions.told(clearCells(session, box));
      case "fill":
        return box && actions.told(fillDown(session, box));
      case "undo":
      case "redo":
        return actions.undo(command.do);
      case "doubt":
        return actions.jump(command.direction);
      case "goTo":
        return document.querySelector<HTMLElement>("[data-name-box]")?.focus();
      case "find":
      case "replace":
        return actions.find(command.do);
      case "history":
      case "precedents":
        actions.inspect();
        return focusRegion("inspector");
      case "columnMenu":
        return openColumnMenu();
      case "apply":
        return actions.apply();
      case "leave":
        return actions.select(undefined);
    }
  };
}
