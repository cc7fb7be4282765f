import type { NamedDataset } from "../editor/names";
import type { Suggestion, Suggestions } from "../editor/suggestion";
import type { SheetFunction } from "./api";

/** What a formula may name. */
export type FormulaNames = {
  columns: readonly { name: string; type: string }[];
  functions: readonly SheetFunction[];
  datasets: readonly NamedDataset[];
};

const MOST = 8;

/**
 * What may be written at a place of a formula: columns after `[`, columns of another dataset after its name and `[`,
 * else functions, columns of the same row and datasets whose names begin with the word at the caret.
 */
export function completeFormula(text: string, position: number, names: FormulaNames): Suggestions | null {
  const before = text.slice(0, position);
  if (isQuoted(before)) return null;
  const outside = /(?:'([^']+)'|([A-Za-z_]\w*))\[([^[\]]*)$/.exec(before);
  if (outside) {
    const owner = (outside[1] ?? outside[2] ?? "").toLowerCase();
    const dataset = names.datasets.find(({ name }) => name.toLowerCase() === owner);
    return offer(position, outside[3] ?? "", dataset?.columns.map((each) => asColumn(each, `${each.name}]`)) ?? []);
  }
  const inside = /\[(@?)([^[\]]*)$/.exec(before);
  if (inside) {
    const [typed = "", at = "", word = ""] = inside;
    const options = names.columns.map((each) => asColumn(each, `[${at}${each.name}]`));
    return offer(position, word, options, typed.length - word.length);
  }
  const word = /[A-Za-z_]\w*$/.exec(before)?.[0] ?? "";
  if (word === "") return null;
  return offer(position, word, [
    ...names.columns.map((each) => asColumn(each, `[@${each.name}]`)),
    ...names.functions.map(asFunction),
    ...names.datasets.map(asDataset),
  ]);
}

/** The function whose arguments the caret stands in; undefined outside all parentheses. */
export function openCall(text: string, position: number): string | undefined {
  const open: string[] = [];
  const plain = text.slice(0, position).replace(/"(?:[^"]|"")*"?/g, "");
  for (const [token] of plain.matchAll(/[A-Za-z_]*\(|\)/g)) {
    if (token === ")") open.pop();
    else open.push(token.slice(0, -1).toUpperCase());
  }
  return open.findLast((name) => name !== "");
}

function offer(position: number, word: string, options: Suggestion[], lead = 0): Suggestions | null {
  const wanted = word.toLowerCase();
  const begins = options.filter(({ label }) => label.toLowerCase().startsWith(wanted));
  const found = begins.filter(({ label, apply }) => (apply ?? label) !== word).slice(0, MOST);
  return found.length > 0 ? { from: position - word.length - lead, options: found } : null;
}

function isQuoted(before: string): boolean {
  return (before.match(/"/g)?.length ?? 0) % 2 === 1;
}

function asColumn({ name, type }: { name: string; type: string }, apply: string): Suggestion {
  return { label: name, apply, kind: "column", detail: type };
}

function asFunction({ name, arguments: given }: SheetFunction): Suggestion {
  return { label: name, apply: `${name}(`, kind: "function", detail: given };
}

function asDataset({ name, columns }: NamedDataset): Suggestion {
  const written = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
  return { label: name, apply: `${written}[`, kind: "dataset", detail: `${columns.length} columns` };
}
