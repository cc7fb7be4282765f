// A click on a value of a table of whence: asks the kernel where the value came from, and shows the answer below.

import type { Kernel, NotebookPanel } from "./jupyter";

export const ORIGIN_TARGET = "whence.origin";
const TABLE = "table[data-whence]";
const NO_KERNEL = "No kernel answers that knows this table. Run its cell again; what was saved with it stands below.";

export interface Question {
  readonly dataset: string;
  readonly row: number;
  readonly column: number | null;
}

/** What a click on an element asks, if it is a value or the number of a row; null for anything else. */
export function questionOf(clicked: Element): Question | null {
  const cell = clicked.closest<HTMLTableCellElement>("td, tbody th");
  const table = cell?.closest<HTMLTableElement>(TABLE);
  const line = cell?.closest("tr");
  if (!cell || !table || !line || !table.dataset.whence) return null;
  const row = [...(line.parentElement?.children ?? [])].indexOf(line);
  return { dataset: table.dataset.whence, row, column: cell.cellIndex === 0 ? null : cell.cellIndex - 1 };
}

/** Answer clicks on tables of whence inside the panels, for as long as the page is there. */
export function followClicks(page: Document, panels: () => Iterable<NotebookPanel>): void {
  page.addEventListener("click", (event) => {
    const question = event.target instanceof Element ? questionOf(event.target) : null;
    if (question === null) return;
    const clicked = event.target as Element;
    const panel = [...panels()].find((each) => each.node.contains(clicked));
    const table = clicked.closest<HTMLElement>(TABLE);
    if (panel && table) ask(panel.sessionContext.session?.kernel ?? null, question, (html) => show(table, html));
  });
}

function ask(kernel: Kernel | null, question: Question, answer: (html: string | null) => void): void {
  if (kernel === null) {
    answer(null);
    return;
  }
  let isAnswered = false;
  const comm = kernel.createComm(ORIGIN_TARGET);
  comm.onMsg = (message) => {
    const data = message.content.data as { type?: unknown; html?: unknown } | null;
    if (data?.type !== "origin" || typeof data.html !== "string") return;
    isAnswered = true;
    answer(data.html);
  };
  comm.onClose = () => {
    if (!isAnswered) answer(null); // the kernel has no such target: it was restarted, or is another one
  };
  comm.open({ ...question });
}

function show(table: HTMLElement, html: string | null): void {
  const next = table.nextElementSibling;
  const box = next?.classList.contains("whence-origin") ? next : table.ownerDocument.createElement("section");
  box.className = "whence-origin";
  box.setAttribute("aria-label", "Where it came from");
  box.setAttribute("aria-live", "polite");
  if (html === null) box.textContent = NO_KERNEL;
  else box.innerHTML = html; // the kernel escapes every text of the data
  table.after(box);
}
