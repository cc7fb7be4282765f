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
/** What is chosen from the values there are; `value` is a list as JSON, with null for no value. */
export const CHOICES = ["is one of", "is none of"] as const;
export type Choice = (typeof CHOICES)[number];
export type Test = (typeof TESTS)[number] | Choice;

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

export function isChoice(test: Test): test is Choice {
  return test === "is one of" || test === "is none of";
}

/** The values a filter chooses from; empty for any other filter, and for one that cannot be read. */
export function chosenIn({ test, value }: Filter): (string | null)[] {
  if (!isChoice(test)) return [];
  try {
    const given: unknown = JSON.parse(value);
    return Array.isArray(given) ? given.filter((each) => each === null || typeof each === "string") : [];
  } catch {
    return [];
  }
}

const NAMED = 3;

function choiceWords(filter: Filter): string {
  const values = chosenIn(filter).map((each) => each ?? "no value");
  const more = values.length > NAMED ? ` and ${values.length - NAMED} more` : "";
  const verb = values.length === 1 ? (filter.test === "is one of" ? "is" : "is not") : filter.test;
  return `${filter.column} ${verb} ${values.slice(0, NAMED).join(", ")}${more}`;
}

/** What a chip says. */
export function filterWords(filter: Filter): string {
  const { column, test, value } = filter;
  if (isChoice(test)) return choiceWords(filter);
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

function part(filter: Filter, cell: string): string {
  const { test, value } = filter;
  if (isChoice(test)) {
    const found = chosenIn(filter).map((each) =>
      each === null ? `ISBLANK(${cell})` : `EXACT(${cell},${quoted(each)})`,
    );
    const any = found.length === 1 ? (found[0] ?? "") : `OR(${found.join(",")})`;
    return test === "is one of" ? any : `NOT(${any})`;
  }
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
  const isKnown = [...TESTS, ...CHOICES].some((known) => known === test);
  if (typeof column !== "string" || !isKnown || typeof value !== "string") return [];
  const filter = { column, test: test as Test, value };
  return isChoice(filter.test) && chosenIn(filter).length === 0 ? [] : [filter];
}

/** A column has one choice of values: it is changed, not added to. */
export function placeOfChoice(filters: readonly Filter[], column: string): number {
  const at = filters.findIndex((filter) => filter.column === column && isChoice(filter.test));
  return at < 0 ? filters.length : at;
}
