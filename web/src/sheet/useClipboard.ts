import { type ClipboardEvent, useState } from "react";
import { isRow } from "../grid/PageCache";
import { count } from "../text/words";
import { copied, isTooLarge, pasteOver } from "./clipboard";
import type { Paste } from "./PasteDialog";
import { MOST_ROWS, put } from "./rowActions";
import type { SheetRow } from "./SheetRow";
import type { SheetSession } from "./SheetSession";
import { type Box, cellsIn } from "./selection";

/** Copying and pasting cells as text; a block is shown before it is pasted. */
export function useClipboard(session: SheetSession, box: Box | undefined, say: (text: string) => void) {
  const [paste, setPaste] = useState<Paste>();

  const copyFar = async (chosen: Box) => {
    try {
      await navigator.clipboard.writeText(copied(session, await session.rows(chosen.top, chosen.bottom), chosen));
      say(`Copied ${count(cellsIn(chosen), "cell")}.`);
    } catch (error) {
      say(error instanceof Error ? error.message : "The cells could not be copied.");
    }
  };

  const onCopy = (event: ClipboardEvent) => {
    if (box === undefined || isField(event.target)) return;
    event.preventDefault();
    if (isTooLarge(cellsIn(box))) return say(`${count(cellsIn(box), "cell")} are too many to copy.`);
    const rows = Array.from({ length: box.bottom - box.top + 1 }, (_, i) => session.pages.row(box.top + i));
    if (!rows.every((row): row is SheetRow => isRow(row))) return void copyFar(box);
    event.clipboardData.setData("text/plain", copied(session, rows, box));
    say(`Copied ${count(cellsIn(box), "cell")}.`);
  };

  const accept = async (chosen: Paste) => {
    setPaste(undefined);
    const rows = await session.rows(chosen.row, chosen.row + chosen.cells.length - 1);
    const width = chosen.cells[0]?.length ?? 0;
    const columns = session.columns.slice(chosen.column, chosen.column + width).map((column) => column.name);
    put(session, rows, columns, chosen.cells);
    say(`Pasted ${count(rows.length * columns.length, "cell")}.`);
  };

  const onPaste = (event: ClipboardEvent) => {
    if (box === undefined || isField(event.target)) return;
    event.preventDefault();
    const text = event.clipboardData.getData("text/plain");
    if (text === "") return say("There is no text to paste.");
    const asked = pasteOver(text, box, { rows: session.count, columns: session.columns.length });
    if (asked.cells.length > MOST_ROWS)
      return say(`${count(asked.cells.length, "row")} are too many to paste: load them as a file.`);
    if (cellsIn(box) === 1 && asked.cells.length === 1 && asked.cells[0]?.length === 1) void accept(asked);
    else setPaste(asked);
  };

  return { paste, onCopy, onPaste, accept: () => paste && void accept(paste), close: () => setPaste(undefined) };
}

function isField(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea");
}
