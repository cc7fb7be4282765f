import type { Json } from "../chart/themed";

/** An operator as a specification names it: `"bin"`, or `{"type": "bin", "bins": 10}`. */
export type Call = { name: string; options: Json /** Only the JSON can say it. */; isOther: boolean };

/** Where a specification names an operator, such as `["geom"]` or `["scale", "x"]`. */
export type Path = readonly [string] | readonly [string, string];

/** The operator at a place; without a name if the columns decide. */
export function readCall(spec: Json, path: Path): Call {
  const written = path.reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), spec);
  if (written === undefined || written === null) return { name: "", options: {}, isOther: false };
  if (typeof written === "string") return { name: written, options: {}, isOther: false };
  if (!isObject(written)) return { name: "", options: {}, isOther: true };
  const { type, ...options } = written;
  return {
    name: typeof type === "string" ? type : "",
    options,
    isOther: type !== undefined && typeof type !== "string",
  };
}

/** The specification with another operator at a place, as it is by default; none if the name is empty. */
export function withCall(spec: Json, path: Path, name: string): Json {
  return written(spec, path, name === "" ? undefined : name);
}

/** The specification with one option of an operator changed, or left open if the value is null. */
export function withOption(spec: Json, path: Path, option: string, value: unknown): Json {
  const { name, options } = readCall(spec, path);
  const { [option]: _, ...others } = options;
  const all = value === null ? others : { ...others, [option]: value };
  const call = name === "" ? all : { type: name, ...all };
  const isPlain = Object.keys(all).length === 0;
  return written(spec, path, isPlain ? name || undefined : call);
}

function written(spec: Json, [first, second]: Path, value: unknown): Json {
  const { [first]: part, ...rest } = spec;
  if (second === undefined) return value === undefined ? rest : { ...spec, [first]: value };
  const { [second]: _, ...others } = isObject(part) ? part : {};
  const made = value === undefined ? others : { ...(isObject(part) ? part : {}), [second]: value };
  return Object.keys(made).length === 0 ? rest : { ...spec, [first]: made };
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
