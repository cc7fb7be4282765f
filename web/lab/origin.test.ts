// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import type { Comm, NotebookPanel } from "./jupyter";
import { followClicks, questionOf } from "./origin";

const TABLE = `<table data-whence="d1"><thead><tr><th></th><th>k</th></tr></thead>
  <tbody><tr><th>0</th><td>a</td></tr><tr><th>1</th><td><b>b</b></td></tr></tbody></table>`;

function output(html = TABLE): HTMLElement {
  document.body.innerHTML = `<div>${html}</div>`;
  return document.body.firstElementChild as HTMLElement;
}

/** A kernel that answers a question with HTML, or closes the comm as one does that has no such target. */
function panelOf(node: HTMLElement, html: string | null, asked: unknown[]): NotebookPanel {
  const createComm = (): Comm => {
    const comm: Comm = {
      onMsg: () => undefined,
      onClose: () => undefined,
      isDisposed: false,
      send: () => undefined,
      open: (data) => {
        asked.push(data);
        if (html !== null) comm.onMsg({ content: { data: { type: "origin", version: 1, html } } });
        comm.onClose({});
      },
    };
    return comm;
  };
  return { node, sessionContext: { session: { kernel: { createComm } } } } as unknown as NotebookPanel;
}

describe("a click on a table of whence", () => {
  it("asks about the value, or about the row if its number was clicked", () => {
    const table = output();
    expect(questionOf(table.querySelector("b") as Element)).toEqual({ dataset: "d1", row: 1, column: 0 });
    expect(questionOf(table.querySelector("tbody th") as Element)).toEqual({ dataset: "d1", row: 0, column: null });
    expect(questionOf(table.querySelector("thead th") as Element)).toBeNull();
    expect(questionOf(output(TABLE.replace(' data-whence="d1"', "")).querySelector("td") as Element)).toBeNull();
  });

  it("shows the answer below the table, one at a time, and says so if no kernel answers", () => {
    const node = output();
    const asked: unknown[] = [];
    let html: string | null = "<p>line 2</p>";
    followClicks(document, () => [panelOf(node, html, asked)]);
    (node.querySelector("td") as HTMLElement).click();
    (node.querySelector("b") as HTMLElement).click();
    expect(asked).toEqual([
      { dataset: "d1", row: 0, column: 0 },
      { dataset: "d1", row: 1, column: 0 },
    ]);
    expect(node.querySelectorAll(".whence-origin")).toHaveLength(1);
    expect(node.querySelector("table + .whence-origin")?.textContent).toBe("line 2");
    html = null;
    (node.querySelector("td") as HTMLElement).click();
    expect(node.querySelector(".whence-origin")?.textContent).toMatch(/^No kernel answers/);
  });
});
