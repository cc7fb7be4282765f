import { useEffect, useRef } from "react";
import { client, unwrap } from "../api/client";
import type { Edits, Notebook } from "../api/notebooks";
import { setParams } from "../state/params";
import { say } from "../state/toast";
import { afterRedo, afterUndo, redoTarget, type Steps, undoTarget } from "./undo";

/** Steps the branch back and forward. A step restores an earlier version as a new one, so nothing is ever lost. */
export function useUndo(notebook: Notebook | undefined, edits: Edits): (direction: "undo" | "redo") => void {
  const step = async (direction: "undo" | "redo") => {
    if (notebook === undefined || edits.restore.isPending) return;
    const { name, version } = notebook;
    const steps = readSteps(name, notebook.branch);
    const target = direction === "undo" ? await backFrom(name, version, steps) : redoTarget(version, steps);
    if (target === undefined) return say({ text: direction === "undo" ? "Nothing to undo." : "Nothing to redo." });
    const made = (await edits.restore.mutateAsync(target)).version;
    const next = direction === "undo" || !steps ? afterUndo(version, steps, target, made) : afterRedo(steps, made);
    keepSteps(name, notebook.branch, next);
    say({
      text: `${direction === "undo" ? "Undone" : "Redone"}: the notebook is as in version ${target}.`,
      action: { label: "Show diff", run: () => setParams({ compare: `${version}-${made}` }, true) },
    });
  };
  const act = (direction: "undo" | "redo") => {
    step(direction).catch((error: Error) => say({ text: error.message }));
  };
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || isText(event)) return;
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      latest.current(key === "y" || event.shiftKey ? "redo" : "undo");
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  return act;
}

/** In a text, undo is that text's own. */
function isText(event: KeyboardEvent): boolean {
  const target = event.target;
  return target instanceof HTMLElement && target.matches("input, textarea, select, [data-editor]");
}

async function backFrom(name: string, version: number, steps: Steps | undefined): Promise<number | undefined> {
  const history = await unwrap(client.GET("/api/notebooks/{name}/history", { params: { path: { name } } }));
  return undoTarget(history, version, steps);
}

const place = (notebook: string, branch: string) => `whence.undo.${notebook}.${branch}`;

function readSteps(notebook: string, branch: string): Steps | undefined {
  const kept = window.sessionStorage.getItem(place(notebook, branch));
  return kept === null ? undefined : (JSON.parse(kept) as Steps);
}

function keepSteps(notebook: string, branch: string, steps: Steps): void {
  window.sessionStorage.setItem(place(notebook, branch), JSON.stringify(steps));
}
