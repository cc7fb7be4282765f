import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { forgetActive, markActive } from "../jobs/active";
import { FEW_ROWS } from "../results/rowView";
import { goTo, parsePlace } from "../state/place";
import type { Dataset, Schemas } from "./client";
import { advance, rereadNotebook } from "./notebooks";
import { firstRows, marksChanged } from "./queries";

type Message = { sequence: number; kind: string; data: Record<string, unknown> };

const LONGEST_PAUSE = 10_000;
/** Who came by a link to one version hears of nothing else. */
const FORBIDDEN = 4403;
/** The session has ended, perhaps in another tab; the server then says how to sign in. */
const SIGNED_OUT = 4401;

/** Follows what happens on the server, and has whatever it concerns read again; resumes after a cut. */
export function useEvents(isOwner: boolean): void {
  const queries = useQueryClient();
  useEffect(() => (isOwner ? follow(queries) : undefined), [queries, isOwner]);
}

type Place = { epoch: string; since: number };

/** Where the stream stood when the page was served: nothing was asked before that. */
function served(): Place | undefined {
  const [epoch, since] = document.querySelector<HTMLMetaElement>("meta[name=whence-events]")?.content.split(":") ?? [];
  return epoch && since ? { epoch, since: Number(since) } : undefined;
}

function follow(queries: QueryClient): () => void {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = 500;
  let place = served();
  let isOver = false;

  const open = () => {
    const query = place ? `?epoch=${place.epoch}&since=${place.since}` : "";
    socket = new WebSocket(`${window.location.origin.replace(/^http/, "ws")}/api/events${query}`);
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      const message = JSON.parse(data) as Message;
      pause = 500;
      place = { epoch: String(message.data.epoch ?? place?.epoch ?? ""), since: message.sequence };
      apply(queries, message);
    };
    socket.onclose = ({ code }) => {
      if (isOver || code === FORBIDDEN) return;
      if (code === SIGNED_OUT) return window.location.assign("/");
      timer = setTimeout(open, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    };
  };

  open();
  return () => {
    isOver = true;
    clearTimeout(timer);
    socket?.close();
  };
}

/** Milliseconds: a cell may print many times a second. */
const OUTPUT_PAUSE = 300;
const waiting = new Set<string>();

/** Reads a notebook whose cell has shown something; while it prints on, not for every line. */
function readSoon(queries: QueryClient, notebook: string): void {
  if (waiting.has(notebook)) return;
  waiting.add(notebook);
  setTimeout(() => {
    waiting.delete(notebook);
    void queries.invalidateQueries({ queryKey: ["notebook", notebook] }, { cancelRefetch: false });
  }, OUTPUT_PAUSE);
}

function apply(queries: QueryClient, { kind, data }: Message): void {
  const notebook = String(data.notebook ?? "");
  if (kind === "resync") void queries.invalidateQueries();
  else if (kind === "caveats.changed") void marksChanged(queries);
  else if (kind === "cell.progress") {
    markActive(notebook);
    const progress = { done: Number(data.done), total: Number(data.total), what: String(data.what) };
    advance(queries, { notebook, cell: String(data.cell), progress });
  } else if (kind === "cell.output") readSoon(queries, notebook);
  else if (kind === "notebook.removed" || kind === "notebook.renamed") {
    forgetActive(notebook);
    void queries.invalidateQueries({ queryKey: ["notebooks"] });
    void queries.invalidateQueries({ queryKey: ["datasets"] });
    const here = parsePlace(window.location.search);
    // Another tab gave the open notebook another name.
    if (kind === "notebook.renamed" && here.notebook === notebook) goTo({ ...here, notebook: String(data.name) });
  } else if (kind === "notebook.version" || kind.startsWith("cell.")) {
    const isReady = kind === "cell.state" && data.status === "ready";
    if (isReady && parsePlace(window.location.search).notebook === notebook)
      for (const made of madeIn(data)) void queries.prefetchQuery(firstRows(made, {}, FEW_ROWS));
    rereadNotebook(queries, notebook, isReady ? "now" : "soon");
    if (kind === "cell.state") {
      markActive(notebook);
      const about = queries.getQueryData<Schemas["About"]>(["about"]);
      if (about?.engine !== "running") void queries.invalidateQueries({ queryKey: ["about"] });
    }
    // A cell that is gone takes its datasets out of the list.
    if (kind === "notebook.version") void queries.invalidateQueries({ queryKey: ["datasets"] });
    if (isReady) {
      void queries.invalidateQueries({ queryKey: ["datasets"] });
      void queries.invalidateQueries({ queryKey: ["caveats"] });
    }
  }
}

/** The datasets that the run of a cell made, as far as the event names them. */
function madeIn({ datasets }: Message["data"]): Pick<Dataset, "name" | "version">[] {
  return Array.isArray(datasets) ? (datasets as Pick<Dataset, "name" | "version">[]) : [];
}
