/** Milliseconds in which a cell that was only just added comes to be on the page. */
const PATIENCE = 8_000;

/** Gives a cell, or where one writes in it, the focus and brings it into sight; false if it is not on the page. */
export function focusCell(id: string | undefined, part: "cell" | "text" = "cell"): boolean {
  const cell = id === undefined ? null : document.querySelector<HTMLElement>(`[data-cell="${CSS.escape(id)}"]`);
  if (cell === null) return false;
  const text = part === "text" ? textIn(cell) : null;
  if (part === "text" && text === null) cell.dataset.wantsText = "";
  cell.focus();
  text?.focus();
  cell.scrollIntoView({ block: "nearest" });
  return true;
}

/** The same for a cell of a notebook that is only being opened, once the cell is there. */
export function focusCellOnceThere(id: string | undefined): void {
  const end = performance.now() + PATIENCE;
  const attempt = () => {
    if (id === undefined || focusCell(id) || performance.now() > end) return;
    requestAnimationFrame(attempt);
  };
  attempt();
}

/** Where one writes in a cell; an editor that is still being fetched is waited for. */
function textIn(cell: HTMLElement): HTMLElement | null {
  if (cell.querySelector("[data-editor-coming]") !== null) return null;
  const editor = cell.querySelector("[data-editor]")?.shadowRoot?.querySelector<HTMLElement>('[role="textbox"]');
  const fields = [...cell.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[data-form] :is(input, select)")];
  return editor ?? fields.find(({ value }) => value === "") ?? fields[0] ?? null;
}
