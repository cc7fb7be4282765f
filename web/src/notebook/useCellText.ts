import { useRef, useState } from "react";
import { ApiError } from "../api/client";
import type { Edits, Kind, Notebook, NotebookCell } from "../api/notebooks";
import type { Names } from "../editor/names";
import { sourceAbove } from "./sourceAbove";
import { suggestName } from "./suggestName";
import { baseVersion } from "./unsaved";
import { useUnsaved } from "./useUnsaved";
import { asText, fromText } from "./values";

export type What = "cell" | "upstream";

/** Why a text was not taken; in a conflict somebody else has changed the cell since the typing began. */
export type Refusal = { message: string; hint: string; isConflict: boolean };

export type CellText = ReturnType<typeof useCellText>;

/** What the fields of a cell hold, and how it gets to the server; what was typed stays until the server has it. */
export function useCellText(
  notebook: Notebook,
  cell: NotebookCell,
  kind: Kind | undefined,
  edits: Edits,
  names: Names,
) {
  const unsaved = useUnsaved(notebook.name, cell.id);
  const [refusal, setRefusal] = useState<Refusal>();
  const latest = useRef({ notebook, cell });
  latest.current = { notebook, cell };
  // One after the other: a text that is sent while another is on its way builds upon that one.
  const sending = useRef(Promise.resolve());

  const here = (version = latest.current.notebook.version) => ({ version, branch: latest.current.notebook.branch });
  const changesIn = (texts: Record<string, string>) =>
    Object.entries(texts).filter(([name, text]) => text !== asText(latest.current.cell.values[name]));
  const suggestedSource =
    cell.status === "draft" && unsaved.texts.source === undefined
      ? sourceAbove(kind, notebook.cells, cell.id)
      : undefined;
  const suggested: Record<string, string> = suggestedSource === undefined ? {} : { source: suggestedSource };
  const textOf = (name: string) => unsaved.texts[name] ?? suggested[name] ?? asText(cell.values[name]);
  const types = new Map(kind?.parameters.map((parameter) => [parameter.name, parameter.kind]));
  const read = (texts: [string, string][]) =>
    Object.fromEntries(texts.map(([name, text]) => [name, fromText(types.get(name) ?? "text", text)]));
  const suggestedName =
    kind && cell.status === "draft" ? suggestName(cell, kind, notebook, names, textOf("source")) : undefined;

  const send = async (what: What) => {
    const { texts } = unsaved.latest();
    const { status, id } = latest.current.cell;
    const changes = changesIn(texts);
    const run = (again: boolean) => edits.run.mutate({ cell: id, what, again });
    if (changes.length === 0 && status !== "draft") return run(what === "cell" && status === "ready");
    const typed: Record<string, unknown> = { ...suggested, ...read(changes) };
    const values = suggestedName === undefined ? typed : { ...typed, name: typed.name ?? suggestedName };
    try {
      const base = baseVersion(unsaved.latest(), here());
      const { version } = await edits.change.mutateAsync({ cell: id, values, base_version: base });
      setRefusal(undefined);
      unsaved.sent(texts, here(version));
    } catch (error) {
      return setRefusal(refusalOf(error));
    }
    // Only an automatic notebook runs what was edited by itself.
    if (latest.current.notebook.mode !== "auto" || what !== "cell") run(false);
  };
  const save = (what: What = "cell") => {
    sending.current = sending.current.then(() => send(what));
  };
  /** What the cell would say if it were saved now, without empty fields. */
  const currentValues = (): Record<string, unknown> => {
    const all: Record<string, unknown> = { ...cell.values, ...suggested, ...read(changesIn(unsaved.texts)) };
    const named = suggestedName === undefined ? all : { ...all, name: all.name ?? suggestedName };
    return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null));
  };
  return {
    textOf,
    currentValues,
    suggestedName,
    refusal,
    save,
    isTyped: (name: string) => unsaved.texts[name] !== undefined,
    isChanged: changesIn(unsaved.texts).length > 0,
    type: (name: string, text: string) => unsaved.type(name, text, here()),
    saveAnyway: () => {
      unsaved.rebase(here());
      save();
    },
    discard: () => {
      setRefusal(undefined);
      unsaved.discard();
    },
  };
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof ApiError)
    return { message: error.message, hint: error.hint, isConflict: error.kind === "EditConflict" };
  return { message: error instanceof Error ? error.message : String(error), hint: "", isConflict: false };
}
