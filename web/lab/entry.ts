// The extension as JupyterLab 4 and Notebook 7 load it: a container of module federation, written by hand, as it
// shares nothing but the notebook package that is on the page already.

import type { NotebookModule, NotebookPanel, NotebookTracker, Plugin } from "./jupyter";
import { followClicks } from "./origin";
import { addStyle } from "./paint";
import { SafePanel } from "./panel";

type Factory<Module> = () => Module;
type Shared = Record<string, Record<string, { get(): Promise<Factory<unknown>> | Factory<unknown> }>>;

interface Container {
  init(shared: Shared): void;
  get(module: string): Promise<Factory<unknown>>;
}

declare global {
  interface Window {
    _JUPYTERLAB?: Record<string, Container>;
  }
}

const NAME = "whence-safety";
const NOTEBOOK = "@jupyterlab/notebook";
let scope: Shared = {};

function plugin(jupyter: NotebookModule): Plugin {
  return {
    id: `${NAME}:marks`,
    description: "Marks stale, fresh and refresher cells, and shows where a clicked value came from.",
    autoStart: true,
    requires: [jupyter.INotebookTracker],
    activate: (_, tracker) => activate(jupyter, tracker),
  };
}

function activate(jupyter: NotebookModule, tracker: NotebookTracker): void {
  const panels = new Map<unknown, SafePanel>();
  const open = new Set<NotebookPanel>();
  const follow = (panel: NotebookPanel): void => {
    const safe = new SafePanel(jupyter, panel);
    panels.set(panel.content, safe);
    open.add(panel);
    panel.disposed.connect(() => {
      panels.delete(panel.content);
      open.delete(panel);
    });
    void safe.start();
  };
  addStyle(document);
  followClicks(document, () => open);
  tracker.forEach(follow);
  tracker.widgetAdded.connect((_, panel) => follow(panel));
  jupyter.NotebookActions.executed.connect((_, { notebook, cell }) => panels.get(notebook)?.executed(cell));
}

async function shared(name: string): Promise<unknown> {
  const entry = Object.values(scope[name] ?? {})[0];
  if (entry === undefined) {
    throw new Error(`${NAME}: this page has no ${name}`);
  }
  return (await entry.get())();
}

window._JUPYTERLAB ??= {};
window._JUPYTERLAB[NAME] = {
  init: (given) => {
    scope = given;
  },
  get: async (module) => {
    if (module !== "./extension") {
      throw new Error(`${NAME} has no module ${module}`);
    }
    const jupyter = (await shared(NOTEBOOK)) as NotebookModule;
    return () => ({ __esModule: true, default: plugin(jupyter) });
  },
};
