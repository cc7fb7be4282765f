import type { NamedDataset, Names } from "./names";
import type { Suggestion, Suggestions } from "./suggestion";

/**
 * What may be written at a place of a Python cell: datasets in `ws["..."]`, parameters in `ws.parameters["..."]`, and in
 * any other text or after a frame and a dot the columns of the datasets the cell reads.
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
  const after = /\b(\w+)\.(\w*)$/.exec(line);
  if (after === null || after[1] === "ws") return null;
  const source = new RegExp(`\\b${after[1]}\\s*=\\s*ws\\[["']([^"']+)["']\\]`).exec(text)?.[1];
  const dataset = names.datasets.find(({ name }) => name === source);
  const plain = columnsOf(dataset ? [dataset] : []).filter(({ label }) => /^[A-Za-z_]\w*$/.test(label));
  return found(position - (after[2] ?? "").length, plain);
}

function found(from: number, options: Suggestion[]): Suggestions | null {
  return options.length > 0 ? { from, options } : null;
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

function asParameter(label: string): Suggestion {
  return { label, kind: "parameter" };
}
