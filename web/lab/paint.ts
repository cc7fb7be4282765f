// Draws a mark into a cell of the page: a bar at its side, the reason below it, and a button.

import type { Mark } from "./marks";

const STYLE = `
.whence-mark { display: flex; gap: 8px; align-items: baseline; margin: 2px 0 2px var(--jp-cell-prompt-width, 64px);
  padding: 2px 8px; font-size: var(--jp-ui-font-size1, 13px); color: var(--jp-ui-font-color1, #212121);
  border-left: 4px solid var(--whence-mark-color); background: var(--jp-layout-color2, #eee); }
.whence-mark[data-kind="stale"], .whence-mark[data-kind="would-fail"] { --whence-mark-color: var(--jp-warn-color0, #b35c00); }
.whence-mark[data-kind="refresher"] { --whence-mark-color: var(--jp-success-color0, #1b7d2c); }
.whence-mark[data-kind="fresh"] { --whence-mark-color: var(--jp-info-color0, #0a6ebd); }
.whence-mark[data-kind="again"] { --whence-mark-color: var(--jp-border-color0, #757575); }
table[data-whence] :is(td, tbody th) { cursor: pointer; }
.whence-origin { margin: 4px 0; padding: 2px 12px; border-left: 4px solid var(--jp-info-color0, #0a6ebd); }
.whence-mark button { font: inherit; white-space: nowrap; cursor: pointer; }
`;

export function addStyle(page: Document): void {
  const style = page.createElement("style");
  style.textContent = STYLE;
  page.head.append(style);
}

/** Show a mark in a cell's node, or none; nothing is touched if it is there already. */
export function paint(node: HTMLElement, mark: Mark | null, runFirst: () => void): void {
  const old = node.querySelector<HTMLElement>(":scope > .whence-mark");
  if (mark === null) {
    old?.remove();
    return;
  }
  const key = `${mark.kind} ${mark.text}`;
  if (old?.dataset.key === key) {
    return;
  }
  old?.remove();
  node.append(draw(node.ownerDocument, mark, key, runFirst));
}

function draw(page: Document, mark: Mark, key: string, runFirst: () => void): HTMLElement {
  const box = page.createElement("div");
  box.className = "whence-mark";
  box.dataset.kind = mark.kind;
  box.dataset.key = key;
  box.setAttribute("role", "note");
  const text = page.createElement("span");
  text.textContent = mark.text;
  box.append(text);
  if (mark.canRunFirst) {
    const button = page.createElement("button");
    button.type = "button";
    button.textContent = "Run this first";
    button.title = "Run the cells this one needs, in order, so that it uses nothing out of date";
    button.addEventListener("click", runFirst);
    box.append(button);
  }
  return box;
}
