import type { Dataset } from "../api/client";
import { useEdits, useNotebooks, useSeveralNotebooks } from "../api/notebooks";
import { focusCell } from "../notebook/focusCell";
import { titleOf } from "../notebook/title";
import { keysFor } from "../state/keymap";
import { goTo } from "../state/place";
import { toggleRail } from "../state/rail";
import type { Entry } from "./Palette";
import { signOut } from "./signOut";
import { useBegin } from "./useBegin";

type Asked = { datasets: Dataset[] | undefined; notebook: string | undefined; onTheme: () => void; onHelp: () => void };

/** Everything the command palette can go to or do. */
export function useEntries({ datasets, notebook, onTheme, onHelp }: Asked): Entry[] {
  const names = useNotebooks().data ?? [];
  const notebooks = useSeveralNotebooks(notebook === undefined ? [] : [notebook]);
  const { run, cancel } = useEdits(notebook ?? "");
  const begin = useBegin();
  const command = (label: string, act: () => void, keys?: string): Entry => ({
    label,
    kind: "command",
    icon: "arrow",
    run: act,
    ...(keys && { keys }),
  });
  return [
    ...names.map(
      (name): Entry => ({ label: name, kind: "notebook", icon: "code", run: () => goTo({ notebook: name }) }),
    ),
    ...(datasets ?? []).map(
      ({ name, version, origin }): Entry =>
        origin === "chart"
          ? {
              label: name,
              kind: "chart",
              icon: "chart",
              run: () => goTo({ view: "chart", chart: `${name}@${version}` }),
            }
          : {
              label: name,
              kind: "dataset",
              icon: origin === "load" ? "file" : "sql",
              run: () => goTo({ dataset: name }),
            },
    ),
    ...notebooks.flatMap(({ cells }) =>
      cells.map(
        (cell): Entry => ({
          label: titleOf(cell),
          kind: `${cell.kind} cell`,
          icon: "code",
          run: () => void setTimeout(() => focusCell(cell.id)),
        }),
      ),
    ),
    command("Start page", () => goTo({ view: "start" })),
    command("Load a file or paste data", () => goTo({ view: "start" })),
    command("New notebook", begin.newNotebook),
    command("Open the tour", begin.openTour),
    command("Show caveats", () => goTo({ view: "caveats" })),
    command("Draw a chart", () => goTo({ view: "chart" })),
    command("Show linked charts", () => goTo({ view: "canvas" })),
    command("Show lineage", () => goTo({ view: "lineage" })),
    ...(notebook === undefined
      ? []
      : [
          command("Run stale cells", () => run.mutate({ what: "stale", again: false }), keysFor("runStale")),
          command("Run all cells again", () => run.mutate({ what: "all", again: true })),
          command("Stop all cells", () => cancel.mutate(undefined), keysFor("interrupt")),
        ]),
    command("Show or hide the rail", toggleRail, keysFor("rail")),
    command("Change the theme", onTheme),
    command("Sign out", () => signOut(false)),
    command("End all browser sessions", () => signOut(true)),
    command("Keyboard shortcuts", onHelp, keysFor("help")),
  ];
}
