import type { Json } from "../chart/themed";

/** An axis whose ends can move: the signals that hold them, and where they are for the original marks. */
export type Axis = { channel: "x" | "y"; low: string; high: string; from: number; to: number; fields: string[] };
export type Overlaid = { spec: Json; axes: Axis[] };

/** The specification twice over: all marks in grey, and over them the marks of data sets that can be exchanged. */
export function overlaid(spec: Json, grey: string): Overlaid {
  const datasets = (spec.datasets ?? {}) as Record<string, Json[]>;
  const copies = Object.entries(datasets).flatMap(([name, rows]) =>
    isOfMarks(name) ? [[selectedName(name), rows.map((row) => ({ ...row }))]] : [],
  );
  const axes: Axis[] = [];
  const made = view(spec, grey, axes);
  const config = (spec.config ?? {}) as { legend?: Json };
  const params = axes.flatMap(({ low, high, from, to }) => [
    { name: low, value: from },
    { name: high, value: to },
  ]);
  return {
    axes,
    spec: {
      ...made,
      ...(params.length > 0 && { params }),
      config: { ...config, legend: { ...config.legend, orient: "bottom" } },
      datasets: { ...datasets, ...Object.fromEntries(copies) },
    },
  };
}

/** Under which name the exchangeable copy of a data set stands. */
export function selectedName(name: string): string {
  return name.replace(/^rows/, "selected");
}

/** Where an axis must end so that other values of the marks are inside, too. */
export function reaching({ from, to, fields }: Axis, rows: Json[]): [number, number] {
  let [low, high] = [Math.min(from, to), Math.max(from, to)];
  for (const row of rows)
    for (const value of fields.map((field) => row[field]))
      if (typeof value === "number") [low, high] = [Math.min(low, value), Math.max(high, value)];
  return from <= to ? [low, high] : [high, low];
}

function isOfMarks(name: unknown): boolean {
  return typeof name === "string" && name.startsWith("rows");
}

function isOfDoubts(name: unknown): boolean {
  return typeof name === "string" && name.startsWith("doubtful");
}

const PARTS = ["concat", "hconcat", "vconcat"] as const;

function view(spec: Json, grey: string, axes: Axis[]): Json {
  for (const part of PARTS) {
    const inner = spec[part];
    if (Array.isArray(inner)) return { ...spec, [part]: inner.map((each: Json) => view(each, grey, axes)) };
  }
  if (Array.isArray(spec.layer)) return { ...spec, layer: layers(spec.layer as Json[], grey, axes) };
  const { mark, encoding, data, ...rest } = spec;
  if (mark === undefined || !isOfMarks((data as Json | undefined)?.name)) return spec;
  return { ...rest, layer: layers([{ mark, encoding, data }], grey, axes) };
}

/** A map at the bottom, grey marks on it, the selection over them, and what is drawn about doubts on top of all. */
function layers(given: Json[], grey: string, axes: Axis[]): Json[] {
  const all = given.map((layer) => withMovingAxes(layer, axes));
  const ofMarks = all.filter((layer) => isOfMarks((layer.data as Json | undefined)?.name));
  const doubts = all.filter((layer) => isOfDoubts((layer.data as Json | undefined)?.name));
  return [
    ...all.filter((layer) => !ofMarks.includes(layer) && !doubts.includes(layer)),
    ...ofMarks.map((layer) => inGrey(layer, grey)),
    ...ofMarks.map((layer) => ({ ...layer, data: { name: selectedName(String((layer.data as Json).name)) } })),
    ...doubts,
  ];
}

function inGrey(layer: Json, grey: string): Json {
  const { color, ...encoding } = (layer.encoding ?? {}) as Record<string, Json | undefined>;
  const mark = typeof layer.mark === "string" ? { type: layer.mark } : (layer.mark as Json);
  // Without its colour a line would go through the points of all series.
  const field = color?.field;
  const detail = field !== undefined && encoding.detail === undefined ? { detail: { field, type: "nominal" } } : {};
  return {
    ...layer,
    // Those who cannot see it hear of every mark once.
    mark: { ...mark, color: grey, opacity: mark.opacity === 0 ? 0 : 0.3, aria: false },
    encoding: { ...encoding, ...detail, color: { value: grey } },
  };
}

/** The ends of number axes become signals, so that values beyond them can be shown without drawing anew. */
function withMovingAxes(layer: Json, axes: Axis[]): Json {
  const encoding = { ...((layer.encoding ?? {}) as Record<string, Json | undefined>) };
  for (const channel of ["x", "y"] as const) {
    const said = encoding[channel];
    const scale = said?.scale as Json | undefined;
    const domain = scale?.domain;
    if (said?.type !== "quantitative" || !Array.isArray(domain) || domain.length !== 2) continue;
    const [from, to] = domain as unknown[];
    if (typeof from !== "number" || typeof to !== "number") continue;
    let axis = axes.find((each) => each.channel === channel && each.from === from && each.to === to);
    if (!axis) {
      const [low, high] = [`${channel}_low_${axes.length}`, `${channel}_high_${axes.length}`];
      axis = { channel, low, high, from, to, fields: [] };
      axes.push(axis);
    }
    for (const { field } of [said, encoding[`${channel}2`] ?? {}])
      if (typeof field === "string" && !axis.fields.includes(field)) axis.fields.push(field);
    encoding[channel] = { ...said, scale: { ...scale, domain: [{ expr: axis.low }, { expr: axis.high }] } };
  }
  return { ...layer, encoding };
}
