import type { Schemas } from "../api/client";

export type Group = Schemas["CaveatsEverywhere"];
export type By = "family" | "column" | "source";
export type Shown = "open" | "acknowledged" | "all";
export type Section = { title: string; count: number; groups: Group[] };

export const BY: By[] = ["family", "column", "source"];
export const SHOWN: Shown[] = ["open", "acknowledged", "all"];

/** The groups that are to be seen, put together by what they share; where most is doubtful comes first. */
export function sections(groups: Group[], by: By, shown: Shown): Section[] {
  const found = new Map<string, Group[]>();
  for (const group of groups.filter((each) => isShown(each, shown)))
    found.set(titleBy(group, by), [...(found.get(titleBy(group, by)) ?? []), group]);
  return [...found]
    .map(([title, members]) => ({ title, count: total(members), groups: members.sort(larger) }))
    .sort((a, b) => b.count - a.count || a.title.localeCompare(b.title));
}

/** The groups that a dataset is in doubt because of; all of them without one. */
export function reaching(groups: Group[], dataset: string | undefined): Group[] {
  if (dataset === undefined) return groups;
  return groups.filter(({ raised_in, reaches }) => [raised_in, ...reaches].some(({ name }) => name === dataset));
}

export function isShown(group: Group, shown: Shown): boolean {
  return shown === "all" || group.acknowledged === (shown === "acknowledged");
}

export function total(groups: Group[]): number {
  return groups.reduce((sum, group) => sum + group.caveats.count, 0);
}

function larger(a: Group, b: Group): number {
  return b.caveats.count - a.caveats.count;
}

const FAMILIES: Record<string, string> = {
  load: "Found while loading",
  user: "Stated by hand",
  missing: "Rows may be missing",
};

/** A family of caveats in words a reader knows. */
export function familyWords(family: string): string {
  const words = FAMILIES[family] ?? family.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function titleBy(group: Group, by: By): string {
  if (by === "family") return familyWords(group.caveats.family);
  if (by === "source") return group.raised_in.name;
  return group.caveats.column ?? "Whole rows and datasets";
}

/** The group that follows, or precedes, another in the list as it is shown. */
export function beside(list: Section[], id: string | undefined, step: 1 | -1): Group | undefined {
  const all = list.flatMap((section) => section.groups);
  const here = all.findIndex((group) => group.id === id);
  if (here < 0) return all[step > 0 ? 0 : all.length - 1];
  return all[Math.min(all.length - 1, Math.max(0, here + step))];
}
