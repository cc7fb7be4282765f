import type { Asked } from "./api";

export type Role = "outlier" | "fine";
export type Direction = "high" | "low" | "wrong" | "expected";

/** What somebody says about the marks: which look odd, which are fine, and what some of them ought to be. */
export type Marking = {
  roles: ReadonlyMap<number, Role>;
  direction: Direction;
  expected: ReadonlyMap<number, number>;
};

export const NOTHING: Marking = { roles: new Map(), direction: "high", expected: new Map() };

/** Marks get a role; if all of them have it, they lose it. */
export function marked(marking: Marking, marks: number[], role: Role, isToggle: boolean): Marking {
  const roles = new Map(marking.roles);
  const isAll = isToggle && marks.every((mark) => roles.get(mark) === role);
  for (const mark of marks) {
    if (isAll) roles.delete(mark);
    else roles.set(mark, role);
  }
  return { ...marking, roles };
}

/** A mark ought to have this value: so as it is, it looks odd. */
export function expecting(marking: Marking, mark: number, value: number | undefined): Marking {
  const expected = new Map(marking.expected);
  if (value === undefined || Number.isNaN(value)) expected.delete(mark);
  else expected.set(mark, value);
  return { roles: new Map(marking.roles).set(mark, "outlier"), direction: "expected", expected };
}

export function withRole({ roles }: Marking, role: Role): number[] {
  return [...roles].flatMap(([mark, has]) => (has === role ? [mark] : [])).sort((one, other) => one - other);
}

/** The question as the server takes it; without any that are fine, all others are. */
export function askedOf(marking: Marking, attributes: string[]): Asked {
  const outliers = withRole(marking, "outlier");
  const fine = withRole(marking, "fine");
  const isExpected = marking.direction === "expected";
  const expected = outliers.flatMap((mark) => {
    const value = marking.expected.get(mark);
    return value === undefined ? [] : [[String(mark), value] as const];
  });
  return {
    outliers,
    fine: fine.length > 0 ? fine : null,
    direction: marking.direction === "expected" ? "wrong" : marking.direction,
    expected: isExpected && expected.length > 0 ? Object.fromEntries(expected) : null,
    attributes,
  };
}

/** Why there is nothing to search for yet; empty if there is. */
export function whyNot(marking: Marking, attributes: string[]): string {
  const outliers = withRole(marking, "outlier");
  if (outliers.length === 0) return "Pick at least one mark that looks odd.";
  if (attributes.length === 0) return "Tick at least one column that may explain it.";
  if (marking.direction === "expected" && !outliers.some((mark) => marking.expected.has(mark)))
    return "Say what at least one of them ought to be.";
  return "";
}
