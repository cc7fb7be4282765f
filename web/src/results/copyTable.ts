import type { Page } from "../api/client";
import { count } from "../text/words";
import { MOST_ROWS } from "./rowView";
import { tableText } from "./tableText";

type FetchPage = (offset: number, limit: number) => Promise<Page>;

/** More would not fit a clipboard or a text; a file takes any number. */
const MOST_COPIED = 20_000;

/** Puts all rows that are looked at on the clipboard, for spreadsheets and for texts; says what was done. */
export async function copyTable(fetchPage: FetchPage): Promise<string> {
  const first = await fetchPage(0, MOST_ROWS);
  if (first.count > MOST_COPIED)
    return `${count(first.count, "row")} are too many to copy: filter them, or download a file.`;
  const rows = [...first.rows];
  while (rows.length < first.count) rows.push(...(await fetchPage(rows.length, MOST_ROWS)).rows);
  const names = first.columns.map(({ name }) => name);
  await toClipboard(tableText(names, rows));
  return `Copied ${count(rows.length, "row")} of ${count(names.length, "column")}.`;
}

async function toClipboard({ plain, html }: { plain: string; html: string }): Promise<void> {
  // A page that is served without encryption to another machine has no clipboard but that of a copy command.
  if (navigator.clipboard === undefined) return copyByCommand({ plain, html });
  const item = {
    "text/plain": new Blob([plain], { type: "text/plain" }),
    "text/html": new Blob([html], { type: "text/html" }),
  };
  await navigator.clipboard.write([new ClipboardItem(item)]);
}

function copyByCommand({ plain, html }: { plain: string; html: string }): void {
  const onCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", plain);
    event.clipboardData?.setData("text/html", html);
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("copy", onCopy, true);
  const isDone = document.execCommand("copy");
  document.removeEventListener("copy", onCopy, true);
  if (!isDone) throw new Error("The browser did not let the rows be copied.");
}
