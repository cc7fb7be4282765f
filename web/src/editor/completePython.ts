import type { NamedDataset, Names } from "./names";
import type { Suggestion, Suggestions } from "./suggestion";

/** What a cell can ask of the workspace, and of a dataset. */
const OF_WS = ["parameters", "export(", "open(", "spark"];
const OF_DATASET = ["head()", "to_pandas()", "to_polars()", "to_arrow()", "df", "rows(", "count", "columns", "schema"];

/**
 * What may be written at a place of a Python cell: datasets in `ws["..."]`, parameters in `ws.parameters["..."]`, in
 * any other text or after a frame and a dot the columns of the datasets the cell reads, after a dataset and a dot what
 * it can be asked for, and elsewhere the datasets themselves.
 */
export function completePython(text: string, position: number, names: Names): Suggestions | null {
  const line = text.slice(text.lastIndexOf("\n", position - 1) + 1, position);
  const inText = /(["'])([^"']*)$/.exec(line);
  if (inText && isOpen(line)) {
    const from = position - (inText[2] ?? "").length;
    const lead = line.slice(0, inText.index);
    if (/\bws\[$/.test(lead)) return found(from, names.datasets.map(asDataset));
    if (/\bws\.parameters\[$/.test(lead)) return found(from, names.parameters.map(asParameter));
    return found(from, columnsOf(readBy(text, names)));
  }
  if (isComment(line)) return null;
  const word = /\w*$/.exec(line)?.[0] ?? "";
  const from = position - word.length;
  const lead = line.slice(0, line.length - word.length);
  if (/\bws\.$/.test(lead)) return found(from, OF_WS.map(asMember));
  if (/\bws\[(["'])[^"']+\1\]\.$/.test(lead)) return found(from, OF_DATASET.map(asMember));
  const owner = /\b(\w+)\.$/.exec(lead)?.[1];
  if (owner !== undefined) return found(from, columnsOf(sourceOf(owner, text, names)).filter(isPlain));
  return word === "" || lead.endsWith(".") ? null : found(from, names.datasets.map(asExpression));
}

/** The dataset that a variable was read from, or that is written as itself. */
function sourceOf(variable: string, text: string, names: Names): NamedDataset[] {
  const source = new RegExp(`\\b${variable}\\s*=\\s*ws\\[["']([^"']+)["']\\]`).exec(text)?.[1];
  return names.datasets.filter(({ name }) => name === source);
}

function isPlain({ label }: Suggestion): boolean {
  return /^[A-Za-z_]\w*$/.test(label);
}

function found(from: number, options: Suggestion[]): Suggestions | null {
  return options.length > 0 ? { from, options } : null;
}

function isComment(line: string): boolean {
  return /^[^"']*#/.test(line);
}

/** Whether a quote on this line has not been closed. */
function isOpen(line: string): boolean {
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const c = line.charAt(i);
    if (quote !== "" && c === "\\") i++;
    else if (c === quote) quote = "";
    else if (quote === "" && (c === '"' || c === "'")) quote = c;
    else if (quote === "" && c === "#") return false;
  }
  return quote !== "";
}

/** The datasets a cell reads. */
function readBy(text: string, names: Names): NamedDataset[] {
  const read = new Set([...text.matchAll(/\bws\[["']([^"']+)["']\](?!\s*=[^=])/g)].map((match) => match[1]));
  return names.datasets.filter(({ name }) => read.has(name));
}

function columnsOf(datasets: NamedDataset[]): Suggestion[] {
  return datasets.flatMap((dataset) =>
    dataset.columns.map(({ name, type }) => ({
      label: name,
      kind: "column" as const,
      detail: `${type} · ${dataset.name}`,
    })),
  );
}

function asDataset({ name, columns }: NamedDataset): Suggestion {
  return { label: name, kind: "dataset", detail: `${columns.length} columns` };
}

/** A dataset where no text is open: as an expression that gives it. */
function asExpression(dataset: NamedDataset): Suggestion {
  return { ...asDataset(dataset), apply: `ws[${JSON.stringify(dataset.name)}]` };
}

function asMember(member: string): Suggestion {
  return { label: member.replace(/\W.*$/, ""), apply: member, kind: "function", detail: member };
}

function asParameter(label: string): Suggestion {
  return { label, kind: "parameter" };
}
