import type { Schemas } from "../api/client";
import type { Json } from "../chart/themed";
import { type Call, readCall } from "./calls";

export type Grammar = Schemas["ChartGrammar"];
export type Operator = Schemas["ChartOperator"];
export type Option = Schemas["ParameterView"];
export type Channel = Schemas["ChartChannel"];

/** The operator of a name or of one of its aliases; undefined if the server knows none. */
export function findOperator(operators: readonly Operator[], name: string): Operator | undefined {
  return operators.find((each) => each.name === name || each.aliases.includes(name));
}

/** The channels a chart can use: those in sight, and those that a fold may hide. */
export function channelsOf(grammar: Grammar, spec: Json): { first: Channel[]; more: Channel[] } {
  const { name } = readCall(spec, ["geom"]);
  const geom = findOperator(grammar.geoms, name);
  const mapped = (spec.aes ?? {}) as Json;
  const isShown = (channel: Channel) =>
    name === "" || geom === undefined ? true : geom.channels.includes(channel.name);
  const first = grammar.channels.filter((each) => each.name in mapped || (each.is_basic && isShown(each)));
  const more = grammar.channels.filter((each) => !first.includes(each) && isShown(each));
  return { first, more };
}

/** The options of an operator; of one that nobody knows those that are written, to hold any value. */
export function optionsOf(operator: Operator | undefined, call: Call): Option[] {
  if (operator !== undefined) return operator.options;
  return Object.keys(call.options).map((name) => ({
    name,
    kind: "value",
    label: "an option of this name",
    default: null,
    is_required: false,
    choices: [],
    fields: [],
  }));
}
