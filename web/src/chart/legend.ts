import type { View } from "vega";
import { rebased } from "./rebased";
import type { Json } from "./themed";

/** One line of a legend, where it is on the picture. */
export type Entry = { value: unknown; label: string; x: number; y: number; width: number; height: number };

/** The legend of a picture whose entries choose what is shown. */
export type Legend = {
  entries: () => Entry[];
  /** Show only the marks of these groups; without any all of them. */
  show: (values: unknown[]) => Promise<void>;
};

type Rows = Record<string, Json[]>;
type Item = { datum?: { value?: unknown; label?: unknown } };

/** The legend of a drawn specification; undefined where colours are of no groups. */
export function legendOf(view: View, host: HTMLElement, spec: Json): Legend | undefined {
  const column = groupColumn(spec);
  if (column === undefined) return undefined;
  const datasets = (spec.datasets ?? {}) as Rows;
  const groups = new Set(Object.values(datasets).flatMap((rows) => rows.map((row) => row[column])));
  return {
    entries: () => entriesOf(host).filter(({ value }) => groups.has(value)),
    show: async (values) => {
      for (const [name, rows] of Object.entries(rowsOf(spec, column, values))) view.data(name, rows.map(unmarked));
      await view.runAsync();
    },
  };
}

/** A copy that Vega takes for a new row: under a symbol it notes which rows it knows, and would not move those. */
function unmarked(row: Json): Json {
  return Object.fromEntries(Object.entries(row));
}

/** The column whose groups have a colour each; undefined where colour is a measure, or shows nothing. */
export function groupColumn(spec: Json): string | undefined {
  const { color } = (spec.encoding ?? {}) as Record<string, Json | undefined>;
  if (color?.type === "nominal" && typeof color.field === "string") return color.field;
  const parts = ["layer", "concat", "hconcat", "vconcat"].flatMap((part) => (spec[part] ?? []) as Json[]);
  return parts.map(groupColumn).find((each) => each !== undefined);
}

/** All rows of the picture, or those of some groups. Rows of no group, as of a reference line, stay. */
export function rowsOf(spec: Json, column: string, values: unknown[]): Rows {
  const datasets = (spec.datasets ?? {}) as Rows;
  if (values.length === 0) return datasets;
  const isShown = (row: Json) => !(column in row) || values.includes(row[column]);
  const shown = Object.entries(datasets).map(([name, rows]): [string, Json[]] => [name, rows.filter(isShown)]);
  const { piles } = (spec.usermeta ?? {}) as { piles?: Record<string, string> };
  return rebased(Object.fromEntries(shown), piles ?? {});
}

function entriesOf(host: HTMLElement): Entry[] {
  const origin = host.getBoundingClientRect();
  return [...host.querySelectorAll("svg .role-legend-entry .role-scope > g")].flatMap((line) => {
    const text = line.querySelector(".role-legend-label text");
    const { datum } = (text as (Element & { __data__?: Item }) | null)?.__data__ ?? {};
    if (!datum || !("value" in datum)) return [];
    const { left, top, width, height } = line.getBoundingClientRect();
    const label = String(datum.label ?? datum.value);
    return [{ value: datum.value, label, x: left - origin.left, y: top - origin.top, width, height }];
  });
}
