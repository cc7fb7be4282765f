import { parse, type Spec, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import { described } from "../chart/described";
import { type Legend, legendOf } from "../chart/legend";
import { withOutlines } from "../chart/outlines";
import { type Json, type Look, themed } from "../chart/themed";
import { type Point, placesInSlice, type Rect, type Slice } from "./boxes";
import { overlaid, reaching, selectedName } from "./overlaid";

export type Box = {
  mark: number;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Places all over a mark that a rectangle around it would not tell apart from its neighbours, such as a slice. */
  places?: Point[];
};
export type Rows = Record<string, Json[]>;

/** A picture whose marks can be found on the page and drawn over. */
export type MarkPicture = {
  boxes: () => Box[];
  /** Where the panels are in which marks stand; of a chart without facets there is one. */
  panels: () => Rect[];
  markAt: (target: EventTarget | null) => number | undefined;
  /** What the vertical axis says at a height of the picture; undefined where it has no numbers. */
  valueAt: (y: number) => number | undefined;
  /** Its legend, whose entries choose the groups that are shown; linked charts choose rows instead. */
  legend: Legend | undefined;
  /** Draw other values over the grey marks; without any the original ones. */
  show: (rows: Rows | undefined) => Promise<void>;
  finalize: () => void;
};

type Options = { look: Look; label: string; isOverlaid: boolean };

/** Draws a finished Vega-Lite specification; expressions are interpreted, so no policy is loosened. */
export async function drawMarks(
  frame: HTMLElement,
  spec: Json,
  { look, label, isOverlaid }: Options,
): Promise<MarkPicture> {
  const whole = await withOutlines(spec);
  // Each picture has a place of its own: one that is given up late must not take the next one with it.
  const host = frame.appendChild(document.createElement("div"));
  const wanted = isOverlaid ? overlaid(whole, look.muted) : { spec: whole, axes: [] };
  const { spec: made } = compile(described(themed(wanted.spec, look)) as unknown as TopLevelSpec);
  const runtime = parse(made as Spec, undefined, { ast: true });
  const view = new View(runtime, { expr: expressionInterpreter, renderer: "svg", container: host, hover: true });
  view.description(label);
  await view.runAsync();
  const original = originalRows(spec);
  return {
    boxes: () => boxesOf(host),
    panels: () => panelsOf(host),
    markAt: (target) => (target instanceof Element ? markOf(target) : undefined),
    valueAt: (y) => valueAt(view, host, y),
    legend: isOverlaid ? undefined : legendOf(view, host, spec),
    show: async (rows) => {
      if (!isOverlaid) return;
      for (const [name, each] of Object.entries(rows ?? original))
        if (name in original)
          view.data(
            selectedName(name),
            each.map((row) => ({ ...row })),
          );
      const shown = Object.values(rows ?? {}).flat();
      for (const axis of wanted.axes) {
        const [low, high] = reaching(axis, shown);
        view.signal(axis.low, low).signal(axis.high, high);
      }
      await view.runAsync();
    },
    finalize: () => {
      view.finalize();
      host.remove();
    },
  };
}

function originalRows(spec: Json): Rows {
  const datasets = (spec.datasets ?? {}) as Rows;
  return Object.fromEntries(Object.entries(datasets).filter(([name]) => name.startsWith("rows")));
}

/** The frame of the marks is where the range of the axis is, however the picture was scaled to fit the page. */
function valueAt(view: View, host: HTMLElement, y: number): number | undefined {
  const frame = host.querySelector("svg .role-frame path.background")?.getBoundingClientRect();
  if (!frame || frame.height === 0) return undefined;
  try {
    const scale = view.scale("y") as { invert?: (at: number) => unknown; range: () => number[] };
    const [first = 0, last = 0] = scale.range();
    const at = (y - (frame.top - host.getBoundingClientRect().top)) * (Math.abs(first - last) / frame.height);
    const value = scale.invert?.(at);
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  } catch {
    return undefined; // panels of a facet have scales of their own
  }
}

/** Vega keeps beside every element what it draws; a line is one element for many marks, and is none of them. */
type Drawn = Slice & { datum?: { _mark?: unknown; _label?: unknown; _closed?: unknown }; mark?: { marktype?: string } };

const CONNECTED = ["line", "area", "trail", "group"];

function markOf(element: Element): number | undefined {
  const item = (element as Element & { __data__?: Drawn }).__data__;
  const mark = item?.datum?._mark;
  // The name beside a slice is not the slice.
  if (item?.mark?.marktype === "text" && item.datum?._label !== undefined) return undefined;
  // A closed line goes around one mark.
  const isOfMany = CONNECTED.includes(item?.mark?.marktype ?? "") && item?.datum?._closed !== true;
  return typeof mark === "number" && !isOfMany ? mark : undefined;
}

/** Where each mark is on the picture, all parts of it together. Under a selection the grey ones, which stay, count. */
function boxesOf(host: HTMLElement): Box[] {
  const origin = host.getBoundingClientRect();
  const found = new Map<number, Box & { isGrey: boolean }>();
  for (const element of host.querySelectorAll("svg path, svg text, svg line")) {
    const mark = markOf(element);
    if (mark === undefined) continue;
    const isGrey = element.closest('[aria-hidden="true"]') !== null;
    const known = found.get(mark);
    if (known?.isGrey && !isGrey) continue;
    const { left, top, width, height } = middleOf(element) ?? element.getBoundingClientRect();
    const places = placesOf(element).map(({ x, y }) => ({ x: x - origin.left, y: y - origin.top }));
    const box = { mark, x: left - origin.left, y: top - origin.top, width, height, isGrey };
    if (places.length > 0) Object.assign(box, { places });
    found.set(mark, known && known.isGrey === isGrey ? around(known, box) : box);
  }
  return [...found.values()];
}

const MIDDLE = 8;

/** The middle of a slice, because a rectangle around it also covers its neighbours. Undefined for other shapes. */
function middleOf(element: Element): { left: number; top: number; width: number; height: number } | undefined {
  const item = (element as Element & { __data__?: Drawn }).__data__;
  const matrix = item?.mark?.marktype === "arc" ? (element as SVGGraphicsElement).getScreenCTM() : null;
  if (!item || !matrix) return undefined;
  const angle = ((item.startAngle ?? 0) + (item.endAngle ?? 0)) / 2;
  const radius = ((item.innerRadius ?? 0) + (item.outerRadius ?? 0)) / 2;
  const { x, y } = new DOMPoint(radius * Math.sin(angle), -radius * Math.cos(angle)).matrixTransform(matrix);
  return { left: x - MIDDLE / 2, top: y - MIDDLE / 2, width: MIDDLE, height: MIDDLE };
}

/** Places all over a slice, in the page; none for other shapes. */
function placesOf(element: Element): Point[] {
  const item = (element as Element & { __data__?: Drawn }).__data__;
  const matrix = item?.mark?.marktype === "arc" ? (element as SVGGraphicsElement).getScreenCTM() : null;
  if (!item || !matrix) return [];
  return placesInSlice(item).map(({ x, y }) => new DOMPoint(x, y).matrixTransform(matrix));
}

function around<B extends Box>(one: B, other: B): B {
  const x = Math.min(one.x, other.x);
  const y = Math.min(one.y, other.y);
  const width = Math.max(one.x + one.width, other.x + other.width) - x;
  return { ...one, x, y, width, height: Math.max(one.y + one.height, other.y + other.height) - y };
}

function panelsOf(host: HTMLElement): Rect[] {
  const { left, top } = host.getBoundingClientRect();
  return [...host.querySelectorAll("svg .role-frame path.background, svg .role-scope path.background")].flatMap(
    (frame) => {
      const box = frame.getBoundingClientRect();
      const rect = { left: box.left - left, right: box.right - left, top: box.top - top, bottom: box.bottom - top };
      return box.width > 0 && box.height > 0 ? [rect] : [];
    },
  );
}
