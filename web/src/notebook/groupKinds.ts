const ORDER = ["Load", "Query", "Clean", "Prepare", "Chart", "Explain", "Text"];

/** Kinds by their group, in the order of a day's work; a group nobody knows comes last. */
export function groupKinds<T extends { group: string }>(kinds: T[]): { group: string; members: T[] }[] {
  const others = kinds.map(({ group }) => group).filter((group) => !ORDER.includes(group));
  return [...ORDER, ...new Set(others)]
    .map((group) => ({ group, members: kinds.filter((kind) => kind.group === group) }))
    .filter(({ members }) => members.length > 0);
}
