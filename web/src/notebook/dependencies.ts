import type { NotebookCell } from "../api/notebooks";

/** `to` reads a dataset that `from` made. */
export type Dependency = { from: string; to: string; dataset: string };

/** Who reads what from whom, as the last runs did: the producer is the cell that made that very version, if there is one. */
export function dependenciesOf(cells: NotebookCell[]): Dependency[] {
  const found = new Map<string, Dependency>();
  cells.forEach((cell, position) => {
    for (const read of cell.reads) {
      const makes = (exact: boolean) => (each: NotebookCell) =>
        each.datasets.some(({ name, version }) => name === read.name && (!exact || version === read.version));
      const above = cells.slice(0, position);
      const maker = above.findLast(makes(true)) ?? above.findLast(makes(false));
      if (maker) found.set(`${maker.id} ${cell.id} ${read.name}`, { from: maker.id, to: cell.id, dataset: read.name });
    }
  });
  return [...found.values()];
}

/** All cells that a cell depends on, or that depend on it, however far. */
export function related(cell: string, dependencies: Dependency[], direction: "up" | "down"): Set<string> {
  const [here, there] = direction === "up" ? (["to", "from"] as const) : (["from", "to"] as const);
  const found = new Set<string>();
  const waiting = [cell];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const each of dependencies)
      if (each[here] === next && !found.has(each[there])) {
        found.add(each[there]);
        waiting.push(each[there]);
      }
  return found;
}

/** The names of the datasets a cell read, each once. */
export function readsOf(cell: NotebookCell): string[] {
  return [...new Set(cell.reads.map((read) => read.name))];
}
