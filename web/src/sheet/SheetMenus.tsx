import { keysFor } from "../state/keymap";
import { AnchoredMenu } from "../ui/AnchoredMenu";
import { type ColumnAsk, columnItems } from "./columnItems";
import type { OpenMenu } from "./dialogs";
import type { Layout } from "./layout";
import { deleteRows, fillDown, insertRows, moveRows } from "./rowActions";
import type { SheetSession } from "./SheetSession";
import type { Box } from "./selection";

type Props = {
  menu: OpenMenu;
  session: SheetSession;
  names: string[];
  layout: Layout;
  /** How wide the column is whose menu is open. */
  width: number;
  box: Box;
  ask: ColumnAsk;
  told: (work: Promise<string>) => void;
  onClose: () => void;
};

/** The menu of a column or of the chosen rows. */
export function SheetMenus({ menu, session, names, layout, width, box, ask, told, onClose }: Props) {
  if (menu.kind === "column")
    return (
      <AnchoredMenu
        label={`Column ${names[menu.column] ?? ""}`}
        anchor={menu.anchor}
        onClose={onClose}
        items={columnItems(session, menu.column, layout, width, ask)}
      />
    );
  return (
    <AnchoredMenu
      label="Row"
      anchor={menu.anchor}
      onClose={onClose}
      items={[
        { label: "Insert above", run: () => told(insertRows(session, box, "above")) },
        { label: "Insert below", run: () => told(insertRows(session, box, "below")) },
        { label: "Move up", run: () => told(moveRows(session, box, -1)) },
        { label: "Move down", run: () => told(moveRows(session, box, 1)) },
        { label: "Fill down", keys: keysFor("fill"), run: () => told(fillDown(session, box)) },
        { label: "Delete", run: () => told(deleteRows(session, box)) },
      ]}
    />
  );
}
