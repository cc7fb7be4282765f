import type { NamedDataset, Names } from "../editor/names";
import { count } from "../text/words";

/** A column of a dataset version, whose stored profile says how its values are spread. */
export type ColumnPlace = { dataset: string; version: number; column: string };

/** Something that a field offers; the note stands beside it in grey. */
export type Option = { name: string; note: string; column?: ColumnPlace };

/** Columns of larger datasets are offered without a picture: nobody may have profiled them yet. */
const MOST_ROWS = 2_000_000;

/** The datasets, or the columns of the dataset that the cell reads, for the kinds of parameters that name one. */
export function optionsOf(kind: string, source: string, names: Names): Option[] {
  if (kind === "dataset" || kind === "datasets")
    return names.datasets.map(({ name, rows }) => ({ name, note: rows === undefined ? "" : count(rows, "row") }));
  return kind === "column" || kind === "columns" ? columnOptions(datasetOf(source, names)) : [];
}

export function datasetOf(source: string, { datasets }: Names): NamedDataset | undefined {
  return datasets.find(({ name }) => name.toLowerCase() === source.trim().toLowerCase());
}

export function columnOptions(dataset: NamedDataset | undefined): Option[] {
  if (dataset === undefined) return [];
  const { version, rows, columns } = dataset;
  const isCheap = version !== undefined && rows !== undefined && rows <= MOST_ROWS;
  return columns.map(({ name, type }) => ({
    name,
    note: type,
    ...(isCheap && { column: { dataset: dataset.name, version, column: name } }),
  }));
}

/** A field for several names holds them with commas between. */
export function written(text: string, isMany: boolean): string[] {
  const parts = isMany ? text.split(",") : [text];
  return parts.map((each) => each.trim()).filter(Boolean);
}

/** The text after an option was chosen: it alone, or one name more or less. */
export function choose(text: string, name: string, isMany: boolean): string {
  if (!isMany) return name;
  const names = written(text, true);
  const last = text.split(",").at(-1)?.trim() ?? "";
  if (names.includes(name)) return names.filter((each) => each !== name).join(", ");
  // What is half typed becomes the name that was chosen.
  const whole = last !== "" && name.toLowerCase().startsWith(last.toLowerCase()) ? names.slice(0, -1) : names;
  return [...whole, name].join(", ");
}

/** Where nothing but the options is right: the place of the one that Enter takes for what is typed, or -1. */
export function impliedAt(matches: readonly Option[], typed: string, isMany: boolean): number {
  const part = typedPart(typed, isMany);
  const names = matches.map(({ name }) => name.toLowerCase());
  if (part === "" || names.includes(part)) return -1;
  const first = names.findIndex((name) => name.startsWith(part));
  // Of several names, only the beginning of one is completed: what stands before may be part of another.
  return first < 0 && names.length === 1 && !isMany ? 0 : first;
}

function typedPart(typed: string, isMany: boolean): string {
  return (isMany ? (typed.split(",").at(-1) ?? "") : typed).trim().toLowerCase();
}

/** The options that what is being typed may mean. */
export function matching(options: Option[], typed: string, isMany: boolean): Option[] {
  const part = typedPart(typed, isMany);
  return part === "" ? options : options.filter(({ name }) => name.toLowerCase().includes(part));
}
