import { letters } from "./letters";

export const TESTS = [
  "is",
  "is not",
  "contains",
  "below",
  "at most",
  "above",
  "at least",
  "is empty",
  "has a value",
] as const;
export type Test = (typeof TESTS)[number];

/** A condition on one column; those of several chips must all hold. */
export type Filter = { column: string; test: Test; value: string };

const SIGNS: Partial<Record<Test, string>> = {
  is: "=",
  "is not": "<>",
  below: "<",
  "at most": "<=",
  above: ">",
  "at least": ">=",
};

/** Whether a test compares with something. */
export function needsValue(test: Test): boolean {
  return test !== "is empty" && test !== "has a value";
}

/** What a chip says. */
export function filterWords({ column, test, value }: Filter): string {
  return needsValue(test) ? `${column} ${test} ${value}` : `${column} ${test}`;
}

/** The filters as one formula, written as for the first row; undefined if there are none that concern these columns. */
export function conditionOf(filters: readonly Filter[], columns: readonly string[]): string | undefined {
  const parts = filters.flatMap((filter) => {
    const column = columns.indexOf(filter.column);
    return column < 0 ? [] : [part(filter, `${letters(column)}1`)];
  });
  return parts.length > 1 ? `AND(${parts.join(",")})` : parts[0];
}

function part({ test, value }: Filter, cell: string): string {
  if (test === "is empty") return `ISBLANK(${cell})`;
  if (test === "has a value") return `NOT(ISBLANK(${cell}))`;
  if (test === "contains") return `ISNUMBER(FIND(LOWER(${quoted(value)}),LOWER(${cell})))`;
  return `${cell}${SIGNS[test]}${operand(value)}`;
}

/** A number is compared as one; everything else as a text. */
function operand(value: string): string {
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(value.trim()) ? value.trim() : quoted(value);
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

export function readFilters(text: string | null): Filter[] {
  try {
    const given: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(given) ? given.flatMap(asFilter) : [];
  } catch {
    return [];
  }
}

/** As it stands in the address: short, and checked when it is read. */
export function writeFilters(filters: readonly Filter[]): string | undefined {
  return filters.length === 0
    ? undefined
    : JSON.stringify(filters.map(({ column, test, value }) => [column, test, value]));
}

function asFilter(given: unknown): Filter[] {
  if (!Array.isArray(given)) return [];
  const [column, test, value] = given as unknown[];
  const isKnown = TESTS.some((known) => known === test);
  return typeof column === "string" && isKnown && typeof value === "string"
    ? [{ column, test: test as Test, value }]
    : [];
}
