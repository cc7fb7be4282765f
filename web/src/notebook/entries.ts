import type { Schemas } from "../api/client";
import type { NamedDataset } from "../editor/names";
import { shownValue } from "./pairs";
import { asText, fromText } from "./values";

type Parameter = Schemas["ParameterView"];
/** One thing that each entry of a list holds. */
export type EntryField = Pick<Parameter, "name" | "kind" | "label">;
/** An entry as its fields show it, by their names. */
export type EntryTexts = Record<string, string>;

const TEXTS: Parameter["kind"][] = ["text", "condition", "column", "dataset"];

/** What the entries of a parameter hold: what it declares, or else a value for each column of the source. */
export function fieldsOf(parameter: Parameter, source: NamedDataset | undefined): EntryField[] {
  if (parameter.fields.length > 0) return parameter.fields;
  return source?.columns.map(({ name, type }) => ({ name, kind: "value" as const, label: type })) ?? [];
}

/** The entries of a list as it is stored; undefined if the text is something that these fields cannot show. */
export function entriesOf(text: string, fields: readonly EntryField[]): EntryTexts[] | undefined {
  if (text.trim() === "") return [];
  const list = fromText("entries", text);
  if (!Array.isArray(list) || !list.every((entry) => canShow(entry, fields))) return undefined;
  return list.map((entry: Record<string, unknown>) =>
    Object.fromEntries(
      fields.filter(({ name }) => name in entry).map(({ name, kind }) => [name, shown(kind, entry[name])]),
    ),
  );
}

function canShow(entry: unknown, fields: readonly EntryField[]): boolean {
  if (entry === null || typeof entry !== "object" || Array.isArray(entry)) return false;
  return Object.entries(entry).every(([name, value]) => {
    const kind = fields.find((field) => field.name === name)?.kind;
    return kind !== undefined && (!TEXTS.includes(kind) || value === null || typeof value === "string");
  });
}

function shown(kind: Parameter["kind"], value: unknown): string {
  return kind === "value" ? shownValue(value) : asText(value);
}

/** A list as it is stored; what holds nothing is left out. */
export function textOfEntries(entries: readonly EntryTexts[], fields: readonly EntryField[]): string {
  const filled = entries.filter((entry) => !isEmpty(entry));
  if (filled.length === 0) return "";
  return JSON.stringify(
    filled.map((entry) =>
      Object.fromEntries(
        fields.flatMap(({ name, kind }) => {
          const text = entry[name] ?? "";
          return text.trim() === "" ? [] : [[name, fromText(kind, text)]];
        }),
      ),
    ),
  );
}

export function isEmpty(entry: EntryTexts): boolean {
  return Object.values(entry).every((text) => text.trim() === "");
}
