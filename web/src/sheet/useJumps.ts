import { type Direction, findDoubt, findText, type Place } from "./api";
import { readPlace } from "./letters";
import type { SheetSession } from "./SheetSession";
import { type Selection, single } from "./selection";

type Options = {
  names: string[];
  selection: Selection | undefined;
  say: (message: string) => void;
  /** A column that was hidden is shown before the cursor goes there. */
  onShow: (column: string) => void;
  onFound: (selection: Selection) => void;
  onGo: (selection: Selection) => void;
};

/** Ways to get somewhere in a sheet: to the next doubt, to a text, to a place that somebody writes down. */
export function useJumps(session: SheetSession, { names, selection, say, onShow, onFound, onGo }: Options) {
  const column = selection && session.columns[selection.cursor.column];
  const from = selection && column && { row: selection.cursor.row, column: column.name };

  const jump = async (find: Promise<Place | null>, nothing: string) => {
    try {
      await session.settled();
      const found = await find;
      if (found === null) return say(nothing);
      onShow(found.column);
      onFound(single({ row: found.row, column: Math.max(0, session.sheet.columns.indexOf(found.column)) }));
      const [there] = await session.rows(found.row, found.row);
      say(`Row ${(there?.position ?? found.row) + 1}, ${found.column}.${found.wrapped ? " Went round the end." : ""}`);
    } catch (error) {
      say(error instanceof Error ? error.message : "The search failed.");
    }
  };
  return {
    toDoubt: (direction: Direction) =>
      void jump(findDoubt(session.id, from, direction, session.where), "Nothing here is doubtful."),
    toText: (text: string, way: Direction) =>
      void jump(findText(session.id, text, from, way, session.where), `“${text}” is nowhere.`),
    /** What is wrong with the place, if anything. */
    toPlace: async (text: string) => {
      const extent = { rows: session.sheet.count, columns: names };
      const here = selection?.cursor ?? { row: 0, column: 0 };
      const wanted = readPlace(text, { ...here, row: (session.numberOf(here.row) ?? 1) - 1 }, extent);
      if (typeof wanted === "string") return wanted;
      const at = await session.placeOf(wanted.row).catch(() => undefined);
      if (at === undefined) return `Row ${wanted.row + 1} is not among the rows you look at.`;
      onGo(single({ row: at, column: wanted.column }));
      return undefined;
    },
  };
}
