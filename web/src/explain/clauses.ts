import type { Bar, Clause } from "./api";

/** Whether a bar of a distribution meets the clause on its column. */
export function isMet(bar: Bar, clause: Clause): boolean {
  if (clause.part) return false; // the hour of a time is not where the time stands among others
  if (clause.values) return clause.values.some((value) => value === bar.value);
  if (bar.low === null || bar.high === null) return false;
  const low = clause.low ?? Number.NEGATIVE_INFINITY;
  const high = clause.high ?? Number.POSITIVE_INFINITY;
  return bar.low <= high && bar.high >= low;
}

/** The predicate with bars of one column put in or taken out, as by a click on them. */
export function withBar(clauses: Clause[], column: string, bar: Bar): Clause[] {
  const others = clauses.filter((clause) => clause.column !== column);
  const known = clauses.find((clause) => clause.column === column);
  const made = known && !known.part ? changed(known, bar) : clauseOf(column, bar);
  return made ? [...others, made] : others;
}

function clauseOf(column: string, bar: Bar): Clause {
  return bar.low === null
    ? { column, values: [bar.value as string], low: null, high: null, phrase: "" }
    : { column, low: bar.low, high: bar.high, values: null, phrase: "" };
}

function changed(known: Clause, bar: Bar): Clause | undefined {
  if (known.values) {
    const value = bar.value as string;
    const values = known.values.includes(value)
      ? known.values.filter((each) => each !== value)
      : [...known.values, value];
    return values.length > 0 ? { ...known, values, phrase: "" } : undefined;
  }
  if (bar.low === null || bar.high === null) return known;
  const low = known.low ?? bar.low;
  const high = known.high ?? bar.high;
  if (bar.low <= low && bar.high >= high) return undefined;
  if (bar.low <= low && bar.high > low) return { ...known, low: bar.high, phrase: "" };
  if (bar.high >= high && bar.low < high) return { ...known, high: bar.low, phrase: "" };
  return { ...known, low: Math.min(low, bar.low), high: Math.max(high, bar.high), phrase: "" };
}

/** A clause in a few words. */
export function wordsOf({ column, low, high, values, phrase }: Clause): string {
  if (phrase) return phrase;
  if (values) return `${column} is ${values.map((value) => value ?? "missing").join(" or ")}`;
  return `${column} is from ${short(low)} to ${short(high)}`;
}

function short(value: number | null | undefined): string {
  return value === null || value === undefined ? "anything" : String(Number(value.toPrecision(6)));
}
