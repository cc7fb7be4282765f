import { isNumeric } from "../text/value";

export type ColumnKind = "not_null" | "key" | "between" | "one_of" | "matches" | "reference";

/** What the form of a check holds, each field as text. */
export type CheckFields = {
  low: string;
  high: string;
  values: string;
  pattern: string;
  dataset: string;
  other: string;
};

export type CheckValues = { kind: string } & Record<string, unknown>;

export const NO_FIELDS: CheckFields = { low: "", high: "", values: "", pattern: "", dataset: "", other: "" };

/** The kinds of check about one column, in words that continue its name. */
export const COLUMN_KINDS: Record<ColumnKind, string> = {
  not_null: "is not missing",
  key: "is unique and not missing",
  between: "is between",
  one_of: "is one of",
  matches: "matches",
  reference: "is in another dataset",
};

/** The check that the form says; undefined while something is still to be filled in. */
export function checkOf(
  kind: ColumnKind,
  { name, type }: { name: string; type: string },
  fields: CheckFields,
): CheckValues | undefined {
  const typed = (text: string) => typedValue(text.trim(), type);
  switch (kind) {
    case "not_null":
      return { kind, column: name };
    case "key":
      return { kind, columns: [name] };
    case "between": {
      const low = fields.low.trim() === "" ? {} : { low: typed(fields.low) };
      const high = fields.high.trim() === "" ? {} : { high: typed(fields.high) };
      const bounds = { ...low, ...high };
      return Object.keys(bounds).length === 0 ? undefined : { kind, column: name, ...bounds };
    }
    case "one_of": {
      const values = fields.values.split("\n").filter((each) => each.trim() !== "");
      return values.length === 0 ? undefined : { kind, column: name, values: values.map((each) => lineOf(each, type)) };
    }
    case "matches":
      return fields.pattern === "" ? undefined : { kind, column: name, pattern: fields.pattern };
    case "reference":
      return fields.dataset === "" || fields.other === ""
        ? undefined
        : { kind, columns: [name], dataset: fields.dataset, other: [fields.other] };
  }
}

/** What the form shows of a suggested check; undefined if it is not about this column alone. */
export function formOf(check: CheckValues, column: string): { kind: ColumnKind; fields: CheckFields } | undefined {
  const { kind } = check;
  if (!isColumnKind(kind)) return undefined;
  const about = check.column ?? (Array.isArray(check.columns) && check.columns.length === 1 ? check.columns[0] : null);
  if (about !== column) return undefined;
  const text = (value: unknown) => (value === undefined || value === null ? "" : String(value));
  const values = Array.isArray(check.values) ? check.values.map(text).join("\n") : "";
  return { kind, fields: { ...NO_FIELDS, low: text(check.low), high: text(check.high), values } };
}

/** The values of a cell that makes the check. */
export function cellValues(source: string, check: CheckValues): Record<string, unknown> {
  const { kind, column, columns, ...rest } = check;
  if (kind === "not_null") return { source, [kind]: [column] };
  if (kind === "key") return { source, [kind]: columns };
  return { source, [kind]: [{ ...(column === undefined ? { columns } : { column }), ...rest }] };
}

function isColumnKind(kind: string): kind is ColumnKind {
  return kind in COLUMN_KINDS;
}

/** A number where the column holds numbers and JavaScript can say it exactly; else the text. */
function typedValue(text: string, type: string): string | number {
  const found = Number(text);
  const isExact = Number.isFinite(found) && (!Number.isInteger(found) || Number.isSafeInteger(found));
  return isNumeric(type) && text !== "" && isExact ? found : text;
}

/** A line of the list: spaces around a text belong to it, those around a number do not. */
function lineOf(line: string, type: string): string | number {
  return type === "string" ? line : typedValue(line.trim(), type);
}
