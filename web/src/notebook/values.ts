import type { Kind, Notebook } from "../api/notebooks";

const STARTS: Record<string, Record<string, unknown>> = {
  markdown: { source: "A note" },
  sql: { source: "select 1 as one" },
  python: { source: '# ws["name"] reads a dataset, ws["name"] = ... makes one\n' },
};

/** What a new cell says before anybody has typed: enough that it may stand there; `known` are names of datasets. */
export function startingValues(
  kind: Kind | undefined,
  notebook: Notebook,
  known: string[] = [],
): Record<string, unknown> {
  if (kind === undefined) return {};
  const values: Record<string, unknown> = { ...STARTS[kind.name] };
  const last = notebook.cells.flatMap((cell) => cell.datasets.map((dataset) => dataset.name)).at(-1);
  for (const parameter of kind.parameters) {
    if (!parameter.is_required || values[parameter.name] !== undefined) continue;
    if (parameter.name === "name") values.name = freeName(kind.name, notebook, known);
    else if (parameter.type === "dataset") values[parameter.name] = last ?? "dataset";
    else if (parameter.choices.length > 0) values[parameter.name] = parameter.choices[0];
    else if (parameter.type === "number") values[parameter.name] = 1;
    else if (parameter.type === "flag") values[parameter.name] = false;
    else if (parameter.type === "datasets" || parameter.type === "columns") values[parameter.name] = [last ?? "column"];
    else if (parameter.type === "mapping") values[parameter.name] = {};
    else if (parameter.type === "entries") values[parameter.name] = [];
    else values[parameter.name] = parameter.name;
  }
  return values;
}

/** Another notebook of the workspace may have made a dataset of that name, so those are taken, too. */
function freeName(kind: string, notebook: Notebook, known: string[]): string {
  const taken = new Set([...known, ...notebook.cells.map((cell) => cell.values.name)]);
  for (let n = 1; ; n++) if (!taken.has(`${kind}_${n}`)) return `${kind}_${n}`;
}

/** A value as it stands in a form field. */
export function asText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join(", ");
  return JSON.stringify(value);
}

/** What a form field says, as the parameter wants it; null takes the parameter away. */
export function fromText(type: string, text: string): unknown {
  if (text.trim() === "") return null;
  if (type === "number") return Number.isFinite(Number(text)) ? Number(text) : text;
  if (type === "flag") return text === "true";
  if (type === "columns" || type === "datasets") return text.split(",").map((each) => each.trim());
  if (type === "value" || type === "mapping" || type === "entries") {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}
