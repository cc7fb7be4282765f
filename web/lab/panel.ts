// One notebook on the page and its line to the kernel: sends edits, receives highlights, paints, runs what is asked.

import type { Cell, Comm, NotebookModule, NotebookPanel } from "./jupyter";
import { markOf } from "./marks";
import { type Highlights, type Message, readMessage, TARGET } from "./messages";
import { paint } from "./paint";

const QUIET = 300; // milliseconds without a key before an edit is sent

export class SafePanel {
  private comm: Comm | null = null;
  private highlights: Highlights | null = null;
  private readonly watched = new Map<string, string>(); // code cells by id, with the text the kernel knows
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly jupyter: NotebookModule;
  private readonly panel: NotebookPanel;

  constructor(jupyter: NotebookModule, panel: NotebookPanel) {
    this.jupyter = jupyter;
    this.panel = panel;
  }

  async start(): Promise<void> {
    await this.panel.context.ready;
    await this.panel.sessionContext.ready;
    this.panel.content.modelContentChanged.connect(() => this.edited());
    this.panel.sessionContext.kernelChanged.connect(() => void this.connect());
    this.panel.sessionContext.statusChanged.connect((_, status) => this.changed(status));
    await this.connect();
  }

  /** Open a comm if the kernel follows its cells; a kernel that does not would answer with a warning. */
  async connect(isLoaded = false): Promise<void> {
    this.forget();
    const kernel = this.panel.sessionContext.session?.kernel;
    if (!kernel) return;
    if (!isLoaded && (await kernel.info).implementation !== "whence") return;
    const comm = kernel.createComm(TARGET);
    comm.onMsg = (message) => this.receive(readMessage(message.content.data));
    comm.onClose = () => this.forget();
    comm.open();
    this.comm = comm;
    for (const cell of this.codeCells()) this.watched.set(cell.model.id, cell.model.sharedModel.getSource());
  }

  /** A cell has run; it may have been the one that loads the extension into a plain kernel. */
  executed(cell: Cell): void {
    const text = cell.model.sharedModel.getSource();
    if (this.comm === null && /%load_ext\s+whence\.safety/.test(text)) void this.connect(true);
  }

  private changed(status: string): void {
    if (status === "restarting" || status === "autorestarting") {
      this.forget();
      void this.panel.sessionContext.ready.then(() => this.connect());
    }
  }

  private forget(): void {
    this.comm = null;
    this.highlights = null;
    this.watched.clear();
    this.repaint();
  }

  private receive(message: Message | null): void {
    if (message?.type === "highlights") {
      this.highlights = message;
      this.repaint();
    } else if (message?.type === "upstream") {
      void this.run(message.cells.filter((id) => id !== message.cell));
    } else if (message?.type === "run") {
      void this.run(message.cells);
    }
  }

  private edited(): void {
    if (this.comm === null) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.sendEdits(), QUIET);
  }

  private sendEdits(): void {
    const present = new Map(this.codeCells().map((cell) => [cell.model.id, cell.model.sharedModel.getSource()]));
    for (const [cell, text] of present) {
      if (this.watched.get(cell) !== text && (text !== "" || this.watched.has(cell))) {
        this.send({ type: "edit", cell, text });
        this.watched.set(cell, text);
      }
    }
    for (const cell of [...this.watched.keys()].filter((id) => !present.has(id))) {
      this.send({ type: "remove", cell });
      this.watched.delete(cell);
    }
    this.repaint(); // the places of cells may have changed
  }

  private send(message: object): void {
    if (this.comm !== null && !this.comm.isDisposed) this.comm.send(message);
  }

  private async run(ids: readonly string[]): Promise<void> {
    const cells = ids.map((id) => this.codeCells().find((cell) => cell.model.id === id));
    const known = cells.filter((cell) => cell !== undefined);
    if (known.length > 0) {
      await this.jupyter.NotebookActions.runCells(this.panel.content, known, this.panel.sessionContext);
    }
  }

  private repaint(): void {
    const order = this.panel.content.widgets.map((cell) => cell.model.id);
    for (const cell of this.codeCells()) {
      const mark = this.highlights === null ? null : markOf(cell.model.id, this.highlights, order);
      paint(cell.node, mark, () => this.send({ type: "upstream", cell: cell.model.id }));
    }
  }

  private codeCells(): Cell[] {
    return this.panel.content.widgets.filter((cell) => cell.model.type === "code");
  }
}
