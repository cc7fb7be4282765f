import { useSyncExternalStore } from "react";

/** What is looked at; lives in the address, so that a link or the Back key leads to it. */
export type Place = {
  notebook?: string;
  dataset?: string;
  row?: number;
  column?: string;
  /** What is shown: all caveats, lineage, a dataset as a sheet; without it a notebook, or a dataset to read. */
  view?: string;
  filter?: string;
  /** A chart, by the dataset version of its marks. */
  chart?: string;
  /** Which face of a notebook is shown: its cells, or the page on which their outputs are arranged. */
  face?: "notebook" | "page";
};

const listeners = new Set<() => void>();

export function parsePlace(search: string): Place {
  const query = new URLSearchParams(search);
  const place: Place = {};
  const view = query.get("view");
  const notebook = query.get("notebook");
  const dataset = query.get("dataset");
  const row = query.get("row");
  const column = query.get("column");
  if (view !== null) place.view = view;
  if (notebook !== null) place.notebook = notebook;
  if (dataset !== null) place.dataset = dataset;
  if (row !== null && /^\d{1,15}$/.test(row)) place.row = Number(row);
  if (column !== null) place.column = column;
  const filter = query.get("filter");
  if (filter !== null) place.filter = filter;
  const chart = query.get("chart");
  if (chart !== null) place.chart = chart;
  const face = query.get("face");
  if (face === "notebook" || face === "page") place.face = face;
  return place;
}

export function formatPlace(place: Place): string {
  const query = new URLSearchParams();
  if (place.view !== undefined) query.set("view", place.view);
  if (place.notebook !== undefined) query.set("notebook", place.notebook);
  if (place.face !== undefined) query.set("face", place.face);
  if (place.dataset !== undefined) query.set("dataset", place.dataset);
  if (place.filter !== undefined) query.set("filter", place.filter);
  if (place.chart !== undefined) query.set("chart", place.chart);
  if (place.row !== undefined) query.set("row", String(place.row));
  if (place.column !== undefined) query.set("column", place.column);
  const text = query.toString();
  return text ? `?${text}` : "";
}

/** Moving inside a dataset or a notebook replaces the address; going to another one, or to another view, adds a step to the history. */
export function goTo(place: Place): void {
  const here = parsePlace(window.location.search);
  const isInside = place.notebook !== undefined || here.dataset === place.dataset;
  goToSearch(
    formatPlace(place),
    here.view !== place.view || here.notebook !== place.notebook || here.face !== place.face || !isInside,
  );
}

/** The same with the address as it is written. */
export function goToSearch(search: string, isStep: boolean): void {
  const url = window.location.pathname + search;
  if (isStep) window.history.pushState(null, "", url);
  else window.history.replaceState(null, "", url);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("popstate", listener);
  };
}

export function useSearch(): string {
  return useSyncExternalStore(subscribe, () => window.location.search);
}
