import { isNumeric } from "../text/value";
import type { Operation } from "./api";
import { letters } from "./letters";

export type ChangeName = "trim" | "change_case" | "split_column" | "replace" | "numbers" | "text" | "parse_dates";
export type ChangeField = { name: string; label: string; value: string; choices?: Record<string, string> };

/** What a change is made of: the column, its place, what the fields say, and the names of all columns. */
export type Asked = { column: string; at: number; values: Record<string, string>; names: readonly string[] };

export type ColumnChange = {
  /** The title of the transformation that does the same in a notebook, or of a conversion. */
  label: string;
  fields: ChangeField[];
  fits: (type: string) => boolean;
  /** The operations of the sheet that do it; none while a field that is needed is empty. */
  operations: (asked: Asked) => Operation[];
};

const MOST_PARTS = 20;
const isText = (type: string) => type === "string";
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** A formula over the column itself means what stood there before; what it cannot read shows an error, and why. */
function setColumn({ column, at }: Asked, formula: (cell: string) => string): Operation[] {
  return [{ operation: "set_column", arguments: { column, value: `=${formula(`${letters(at)}1`)}` } }];
}

/** The changes that a column of a type can take, in the order of the menu. */
export function changesFor(type: string): ChangeName[] {
  return (Object.keys(COLUMN_CHANGES) as ChangeName[]).filter((each) => COLUMN_CHANGES[each].fits(type));
}

/** The changes of a whole column that its menu offers, each as one or several steps of the sheet. */
export const COLUMN_CHANGES: Record<ChangeName, ColumnChange> = {
  trim: {
    label: "Trim spaces",
    fields: [],
    fits: isText,
    operations: (asked) => setColumn(asked, (cell) => `TRIM(${cell})`),
  },
  change_case: {
    label: "Change capitals",
    fields: [{ name: "to", label: "To", value: "LOWER", choices: { LOWER: "lower", UPPER: "upper", PROPER: "title" } }],
    fits: isText,
    operations: (asked) => setColumn(asked, (cell) => `${asked.values.to}(${cell})`),
  },
  split_column: {
    label: "Split a column",
    fields: [
      { name: "separator", label: "Separator", value: "," },
      { name: "parts", label: "Number of parts", value: "2" },
    ],
    fits: isText,
    operations: splitColumn,
  },
  replace: {
    label: "Replace values",
    fields: [
      { name: "find", label: "Find", value: "" },
      { name: "replacement", label: "Replace with", value: "" },
      {
        name: "scope",
        label: "Where",
        value: "part",
        choices: { part: "anywhere in a cell", cell: "whole cells only" },
      },
    ],
    fits: () => true,
    operations: ({ column, values }) => {
      const { find, replacement, scope } = values;
      const given = { find, replacement, columns: [column], whole_cell: scope === "cell" };
      return find ? [{ operation: "replace", arguments: given }] : [];
    },
  },
  numbers: {
    label: "Convert to numbers",
    fields: [],
    fits: (type) => !isNumeric(type),
    operations: (asked) => setColumn(asked, (cell) => `VALUE(${cell})`),
  },
  text: {
    label: "Convert to text",
    fields: [],
    fits: (type) => !isText(type),
    operations: (asked) => setColumn(asked, (cell) => `TEXT(${cell})`),
  },
  parse_dates: {
    label: "Convert to dates",
    fields: [
      {
        name: "order",
        label: "Order",
        value: "",
        choices: {
          "": "year first, 2024-02-29",
          "day first": "day first, 29/2/2024",
          "month first": "month first, 2/29/2024",
        },
      },
    ],
    fits: (type) => type !== "date",
    operations: (asked) =>
      setColumn(asked, (cell) =>
        asked.values.order ? `DATEVALUE(${cell},${quoted(asked.values.order)})` : `DATEVALUE(${cell})`,
      ),
  },
};

/** One new column for each part; the column itself stays, since the parts are computed from it. */
function splitColumn({ column, at, values, names }: Asked): Operation[] {
  const count = Math.min(MOST_PARTS, Math.floor(Number(values.parts)));
  if (!values.separator || !(count >= 2)) return [];
  const cell = `${letters(at)}1`;
  const parts = freeNames(column, count, names);
  return parts.map((name, i) => ({
    operation: "insert_column",
    arguments: {
      name,
      after: i === 0 ? column : parts[i - 1],
      value: `=SPLITPART(${cell},${quoted(values.separator ?? "")},${i + 1},${count})`,
    },
  }));
}

/** column_1, column_2 and so on; further on where these are taken. */
function freeNames(column: string, count: number, names: readonly string[]): string[] {
  const taken = new Set(names);
  const found: string[] = [];
  for (let i = 1; found.length < count; i++) if (!taken.has(`${column}_${i}`)) found.push(`${column}_${i}`);
  return found;
}
