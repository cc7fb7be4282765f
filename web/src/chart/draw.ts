import { parse, type Spec, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import { described } from "./described";
import { type Legend, legendOf } from "./legend";
import { withOutlines } from "./outlines";
import { type Json, type Look, themed } from "./themed";

export type Drawn = { legend: Legend | undefined; finalize: () => void };

/** Draws a finished Vega-Lite specification into an element; expressions are interpreted, so no policy is loosened. */
export async function draw(
  host: HTMLElement,
  spec: Json,
  look: Look,
  label: string,
  onMark: (mark: number) => void,
): Promise<Drawn> {
  const { spec: made } = compile(described(themed(await withOutlines(spec), look)) as unknown as TopLevelSpec);
  const runtime = parse(made as Spec, undefined, { ast: true });
  const view = new View(runtime, { expr: expressionInterpreter, renderer: "svg", container: host, hover: true });
  view.description(label);
  view.addEventListener("click", (_event, item) => {
    const mark = (item?.datum as { _mark?: unknown } | undefined)?._mark;
    if (typeof mark === "number") onMark(mark);
  });
  await view.runAsync();
  return { legend: legendOf(view, host, spec), finalize: () => view.finalize() };
}
