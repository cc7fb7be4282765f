// The few things of JupyterLab 4 and Notebook 7 this extension touches; their packages would bring hundreds more.

export interface Signal<Sender, Args> {
  connect(slot: (sender: Sender, args: Args) => void): boolean;
}

export interface Comm {
  onMsg: (message: { content: { data: unknown } }) => void;
  onClose: (message: unknown) => void;
  open(data?: Readonly<Record<string, unknown>>): unknown;
  send(data: object): unknown;
  readonly isDisposed: boolean;
}

export interface Kernel {
  readonly info: Promise<{ implementation: string }>;
  createComm(target: string): Comm;
}

export interface SessionContext {
  readonly ready: Promise<void>;
  readonly session: { readonly kernel: Kernel | null } | null;
  readonly kernelChanged: Signal<unknown, unknown>;
  readonly statusChanged: Signal<unknown, string>;
}

export interface CellModel {
  readonly id: string;
  readonly type: string;
  readonly sharedModel: { getSource(): string; readonly changed: Signal<unknown, { sourceChange?: unknown }> };
}

export interface Cell {
  readonly model: CellModel;
  readonly node: HTMLElement;
}

export interface Notebook {
  readonly widgets: readonly Cell[];
  readonly model: { readonly cells: { readonly changed: Signal<unknown, unknown> } } | null;
  readonly modelContentChanged: Signal<unknown, unknown>;
}

export interface NotebookPanel {
  readonly node: HTMLElement;
  readonly content: Notebook;
  readonly sessionContext: SessionContext;
  readonly context: { readonly ready: Promise<void> };
  readonly disposed: Signal<unknown, unknown>;
}

export interface NotebookTracker {
  forEach(visit: (panel: NotebookPanel) => void): void;
  readonly widgetAdded: Signal<unknown, NotebookPanel>;
}

export interface NotebookModule {
  readonly INotebookTracker: unknown;
  readonly NotebookActions: {
    readonly executed: Signal<unknown, { notebook: Notebook; cell: Cell }>;
    runCells(notebook: Notebook, cells: readonly Cell[], session: SessionContext): Promise<boolean>;
  };
}

export interface Plugin {
  readonly id: string;
  readonly description: string;
  readonly autoStart: boolean;
  readonly requires: readonly unknown[];
  activate(app: unknown, tracker: NotebookTracker): void;
}
