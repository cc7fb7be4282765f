import type { Marking } from "./marking";
import { withRole } from "./marking";

type Values = readonly (number | null)[];
/** A line of the comparison: what it is about, and its value before and without the rows of either answer. */
export type Line = {
  mark: number | undefined;
  words: string;
  before: number | null;
  after: [number | null, number | null];
};

const LISTED = 8;

/** What two answers do to the odd marks, one by one, and to all odd and all other marks on average. */
export function linesOf(marking: Marking, words: string[], before: Values, one: Values, other: Values): Line[] {
  const odd = withRole(marking, "outlier");
  const fine = withRole(marking, "fine");
  const others = fine.length > 0 ? fine : [...before.keys()].filter((mark) => marking.roles.get(mark) === undefined);
  const ofMark = (mark: number): Line => ({
    mark,
    words: words[mark] ?? `mark ${mark}`,
    before: before[mark] ?? null,
    after: [one[mark] ?? null, other[mark] ?? null],
  });
  const ofAll = (marks: number[], said: string): Line => ({
    mark: undefined,
    words: said,
    before: mean(marks, before),
    after: [mean(marks, one), mean(marks, other)],
  });
  const lines = odd.slice(0, LISTED).map(ofMark);
  if (odd.length > 1) lines.push(ofAll(odd, `mean of the ${odd.length} odd marks`));
  if (others.length > 0) lines.push(ofAll(others, fine.length > 0 ? "mean of the fine marks" : "mean of all others"));
  return lines;
}

function mean(marks: number[], values: Values): number | null {
  const known = marks.map((mark) => values[mark] ?? null).filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** How far two answers are about the same rows. */
export function overlapWords({ one, other, both }: { one: number; other: number; both: number }): string {
  const rows = (n: number) => `${n.toLocaleString("en")} ${n === 1 ? "row" : "rows"}`;
  if (both === 0) return "They have no row in common.";
  if (both === one && both === other) return `Both take the same ${rows(both)}.`;
  if (both === one) return `What A takes (${rows(one)}), B takes as well.`;
  if (both === other) return `What B takes (${rows(other)}), A takes as well.`;
  const share = (of: number) => `${Math.round((100 * both) / of)} %`;
  return `${rows(both)} in common: ${share(one)} of A, ${share(other)} of B.`;
}
