import type { Json } from "../chart/themed";
import { isNameOfThings } from "../text/numbers";
import { readCall } from "./calls";
import type { Grammar } from "./grammar";
import { type Path, shelfOf, withShelf } from "./shelves";

/** A column of the dataset, as far as shelves look at it. */
export type Field = { name: string; type: string };
export type Measures = { columns: string[]; name: string; value: string };
export type Filter = { column: string; in?: unknown[]; not_in?: unknown[]; between?: [unknown, unknown] };
export type Reference = { axis: string; value?: number; function?: string };

const NUMBERS = /^(tinyint|smallint|int$|bigint|float|double|decimal)/;
const TIMES = /^(date|timestamp)/;

export function isNumber({ type }: Field): boolean {
  return NUMBERS.test(type);
}

/** Whether its values lie between two ends, so that a filter asks for a range. */
export function isRanged(field: Field): boolean {
  return isNumber(field) || TIMES.test(field.type);
}

function partOf(spec: Json, name: string): Json {
  const part = spec[name];
  return typeof part === "object" && part !== null && !Array.isArray(part) ? (part as Json) : {};
}

/** The specification with a part at a path; nothing is left of a part that becomes empty. */
export function withPart(spec: Json, [first = "", ...rest]: readonly string[], value: unknown): Json {
  const { [first]: _, ...others } = spec;
  if (rest.length === 0) return value === undefined ? others : { ...spec, [first]: value };
  const inner = withPart(opened(spec[first]), rest, value);
  return Object.keys(inner).length === 0 ? others : { ...spec, [first]: inner };
}

/** An operator by its name alone is one without options. */
function opened(part: unknown): Json {
  if (typeof part === "string") return { type: part };
  return typeof part === "object" && part !== null && !Array.isArray(part) ? (part as Json) : {};
}

export function partAt(spec: Json, path: readonly string[]): unknown {
  return path.reduce<unknown>((part, key, place) => (place === 0 ? spec[key] : opened(part)[key]), spec);
}

// Measures

/** The columns whose values are drawn: one, or several that are folded into a series each. */
export function measuresOf(spec: Json): Measures | undefined {
  const { fold, as } = partOf(spec, "data");
  if (!Array.isArray(fold)) return undefined;
  const [name, value] = Array.isArray(as) ? as : ["measure", "value"];
  return { columns: fold.map(String), name: String(name), value: String(value) };
}

/** The specification with several measures along an axis, or with the one that is left. */
export function withMeasures(spec: Json, axis: string, columns: string[], fields: Field[]): Json {
  const known = measuresOf(spec);
  const path: Path = ["aes", axis];
  const [only = ""] = columns;
  if (columns.length < 2) {
    const plain = withPart(withPart(spec, ["data", "fold"], undefined), ["data", "as"], undefined);
    const bare =
      known && shelfOf(plain, ["aes", "color"]).value === known.name ? withShelf(plain, ["aes", "color"], "") : plain;
    return withShelf(bare, path, only);
  }
  const name = known?.name ?? free("measure", fields);
  const value = known?.value ?? free("value", fields);
  const folded = withPart(spec, ["data", "fold"], columns);
  const named = name === "measure" && value === "value" ? folded : withPart(folded, ["data", "as"], [name, value]);
  const shown = withShelf(named, path, value);
  return shelfOf(shown, ["aes", "color"]).value === "" ? withShelf(shown, ["aes", "color"], name) : shown;
}

function free(name: string, fields: Field[]): string {
  return fields.some((field) => field.name.toLowerCase() === name) ? free(`${name}_`, fields) : name;
}

/** The axis along which lengths are read: x where only y holds names, else y. */
export function measureAxis(spec: Json, fields: Field[]): "x" | "y" {
  const x = fields.find(({ name }) => name === shelfOf(spec, ["aes", "x"]).value);
  const y = fields.find(({ name }) => name === shelfOf(spec, ["aes", "y"]).value);
  return y && !isRanged(y) && (x === undefined || isNumber(x)) ? "x" : "y";
}

/** The axis of names, if there is one whose order can be chosen. */
export function nameAxis(spec: Json, fields: Field[]): "x" | "y" | undefined {
  const axis = measureAxis(spec, fields) === "y" ? "x" : "y";
  const field = fields.find(({ name }) => name === shelfOf(spec, ["aes", axis]).value);
  return field && !isRanged(field) ? axis : undefined;
}

// Filters

/** What a filter shelf can show of the conditions on the rows, and what only the JSON says. */
export function filtersOf(spec: Json): { filters: Filter[]; others: unknown[] } {
  const { where } = partOf(spec, "data");
  const listed = Array.isArray(where) ? where : where === undefined || where === null ? [] : [where];
  const isFilter = (each: unknown) => typeof each === "object" && each !== null && "column" in each;
  return { filters: listed.filter(isFilter) as Filter[], others: listed.filter((each) => !isFilter(each)) };
}

export function withFilters(spec: Json, filters: Filter[]): Json {
  const all = [...filtersOf(spec).others, ...filters];
  return withPart(spec, ["data", "where"], all.length === 0 ? undefined : all);
}

/** The filter that a column begins with: all of its values. */
export function newFilter(field: Field): Filter {
  return isRanged(field) ? { column: field.name, between: [null, null] } : { column: field.name, not_in: [] };
}

/** What was typed as the end of a range: a number where the column holds numbers; nothing for an open end. */
export function readEnd(text: string, field: Field | undefined): unknown {
  if (text.trim() === "") return null;
  const read = Number(text);
  return field && isNumber(field) && Number.isFinite(read) ? read : text.trim();
}

// Layers over the chart

/** The layers that are drawn over the first, which is the chart itself. */
export function overlaysOf(spec: Json): Json[] {
  const { layer } = spec;
  return Array.isArray(layer) ? (layer.slice(1) as Json[]) : [];
}

export function withOverlays(spec: Json, overlays: Json[]): Json {
  const { layer, ...rest } = spec;
  const first = Array.isArray(layer) && layer.length > 0 ? layer[0] : {};
  const isPlain = overlays.length === 0 && Object.keys(first as Json).length === 0;
  return isPlain ? rest : { ...rest, layer: [first, ...overlays] };
}

/** Numbers along which things are measured. */
const CALENDAR = /^(quarter|month|week|weekday|day|hour|minute)$/i;

/**
 * A layer over a chart: a measure that the chart does not show yet, no id, computed as the chart is; means over counts.
 * Over values of groups it is a line or points with an axis of its own: bars would hide the chart, as would its scale.
 * Its colour is its own, too: points in the colours of the bars below could not be seen.
 */
export function newLayer(spec: Json, fields: Field[], { overlay }: Grammar): Json {
  const axis = measureAxis(spec, fields);
  const shown = (channel: string) => shelfOf(spec, ["aes", channel]).value;
  const isFree = ({ name }: Field) => !["x", "y", "color"].some((channel) => shown(channel) === name);
  const free = fields.filter((each) => isNumber(each) && isFree(each));
  const amounts = free.filter((each) => !isNameOfThings(each.name));
  const measure = amounts.find((each) => !CALENDAR.test(each.name)) ?? amounts[0] ?? free[0] ?? fields.find(isNumber);
  const { name } = readCall(spec, ["stat"]);
  const counts = name === "count" || (name === "" && shown(axis) === "");
  const stat = counts ? (overlay.stats[0] ?? name) : name;
  const key = fields.find((each) => each.name === shown(axis === "y" ? "x" : "y"));
  const isOverGroups = Object.keys(partOf(spec, "aes")).includes("color");
  const place = overlaysOf(spec).length % overlay.colours.length;
  const colour = isOverGroups ? overlay.colour_over_groups : overlay.colours[place];
  return {
    aes: { [axis]: measure?.name ?? "", color: { value: colour } },
    ...(stat !== "" && { stat }),
    ...(overlay.stats.includes(stat) && {
      geom: key && isRanged(key) ? overlay.geom_along_ranges : overlay.geom_at_names,
      ...(Object.keys(partOf(spec, "facet")).length === 0 && { axis: "right" }),
    }),
  };
}

/** A layer as a reference line; undefined if it is something else. */
export function referenceOf(layer: Json, { reference }: Grammar): Reference | undefined {
  if (readCall(layer, ["geom"]).name !== reference.geom) return undefined;
  const stat = readCall(layer, ["stat"]);
  if (stat.name === reference.stat) return { axis: "y", function: String(stat.options.fun ?? reference.functions[0]) };
  for (const [axis, said] of Object.entries(partOf(layer, "aes"))) {
    const { value } = (said ?? {}) as Json;
    if (typeof value === "number") return { axis, value };
  }
  return undefined;
}

export function newReference({ axis, value, function: fun }: Reference, { reference }: Grammar): Json {
  return fun === undefined
    ? { inherit: false, aes: { [axis]: { value: value ?? 0 } }, geom: reference.geom }
    : { stat: { type: reference.stat, over: "marks", fun }, geom: reference.geom };
}

// Order

/** What orders the names along an axis: "", the aesthetic of the scale, or a column with a minus for the largest first. */
export function orderOf(spec: Json, axis: string): { by: string; isDown: boolean } {
  const sort = String(partAt(spec, ["scale", axis, "order_by"]) ?? "");
  const by = sort.replace(/^-/, "");
  return { by: by === "order" ? `column ${shelfOf(spec, ["aes", "order"]).value}` : by, isDown: sort.startsWith("-") };
}

export function withOrder(spec: Json, axis: string, by: string, isDown: boolean): Json {
  const column = by.startsWith("column ") ? by.slice(7) : undefined;
  const ordered = withShelf(spec, ["aes", "order"], column ?? "");
  const sort = column === undefined ? by : "order";
  return withPart(ordered, ["scale", axis, "order_by"], by === "" ? undefined : `${isDown ? "-" : ""}${sort}`);
}

// Dragging

export type Dragged = { column: string; from?: Path };

/** The specification after a column was dropped on a shelf; two shelves exchange what they hold. */
export function dropped(spec: Json, { column, from }: Dragged, to: Path): Json {
  if (from !== undefined && from.join() === to.join()) return spec;
  const held = shelfOf(spec, to).value;
  const left = from === undefined ? spec : withShelf(spec, from, held);
  return withShelf(left, to, column);
}
