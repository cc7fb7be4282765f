import type { Schemas } from "../api/client";
import type { RowQuery } from "../api/queries";
import { chosenIn, type Filter, isChoice, needsValue, type Test } from "../sheet/filters";
import { isNumeric } from "../text/value";

type Column = Schemas["Column"];

/** Which rows of a result are looked at, and in what order; nothing of it changes the data. */
export type RowView = { filters: Filter[]; sort: Sort | undefined };
export type Sort = { column: string; direction: "asc" | "desc" };

/** A result begins with so many rows. */
export const FEW_ROWS = 5;
const STEP = 50;
/** The longest page that the server gives. */
export const MOST_ROWS = 1000;
export const WHOLE: RowView = { filters: [], sort: undefined };

/** How many rows are shown after *More rows*; the few of the beginning once there are no more. */
export function moreRows(shown: number, count: number): number {
  const most = Math.min(count, MOST_ROWS);
  if (shown >= most) return FEW_ROWS;
  return Math.min(most, shown < STEP ? STEP : shown * 2);
}

/** One column after the other: upwards, then downwards, then as the rows are stored. */
export function nextSort(sort: Sort | undefined, column: string): Sort | undefined {
  if (sort?.column !== column) return { column, direction: "asc" };
  return sort.direction === "asc" ? { column, direction: "desc" } : undefined;
}

const ALWAYS: Test[] = ["is empty", "has a value"];
const EQUAL: Test[] = ["is", "is not"];
const ORDER: Test[] = ["below", "at most", "above", "at least"];
const NESTED = /^(array|map|struct|variant|binary)\b/;

/** The tests that the server can do on values of a type. */
export function testsFor(type: string): Test[] {
  if (NESTED.test(type)) return ALWAYS;
  if (type === "string") return [...EQUAL, "contains", ...ALWAYS];
  return type === "boolean" ? [...EQUAL, ...ALWAYS] : [...EQUAL, ...ORDER, ...ALWAYS];
}

const COMPARISONS: Partial<Record<Test, string>> = {
  is: "=",
  "is not": "!=",
  contains: "contains",
  below: "<",
  "at most": "<=",
  above: ">",
  "at least": ">=",
  "is empty": "is_null",
  "has a value": "is_not_null",
  "is one of": "in",
};

/** Whether a filter can be done outside a sheet: on a column that is there, by a comparison that the server knows. */
export function shownBy(columns: readonly Column[]): (filter: Filter) => boolean {
  return (filter) =>
    columns.some(({ name }) => name === filter.column) &&
    filter.test in COMPARISONS &&
    !chosenIn(filter).includes(null);
}

/** The part of a request for a page that says which rows, and in what order. */
export function viewQuery({ filters, sort }: RowView, columns: readonly Column[]): RowQuery {
  const typeOf = (name: string) => columns.find((column) => column.name === name)?.type ?? "string";
  const comparedWith = (filter: Filter) => {
    const type = typeOf(filter.column);
    return isChoice(filter.test) ? chosenIn(filter).map((each) => typed(each ?? "", type)) : typed(filter.value, type);
  };
  const clauses = filters.map((filter) => {
    const { column, test } = filter;
    return needsValue(test) ? [column, COMPARISONS[test], comparedWith(filter)] : [column, COMPARISONS[test]];
  });
  return {
    ...(sort && { sort: JSON.stringify([[sort.column, sort.direction]]) }),
    ...(clauses.length > 0 && { filter: JSON.stringify(clauses) }),
  };
}

/** A text as the value it stands for in a column of a type; what is none stays a text, and the server says so. */
function typed(value: string, type: string): unknown {
  const text = value.trim();
  if (type === "boolean" && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if (!isNumeric(type) || type.startsWith("decimal") || text === "") return type === "string" ? value : text;
  return Number.isNaN(Number(text)) ? text : Number(text);
}
