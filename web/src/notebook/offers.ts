import type { Names } from "../editor/names";

/** The names that a field offers: datasets, or the columns of the dataset that the cell reads, after those written. */
export function offersOf(kind: string, text: string, source: string, { datasets }: Names): string[] {
  const read = datasets.find(({ name }) => name.toLowerCase() === source.trim().toLowerCase());
  const names = datasets.map(({ name }) => name);
  const columns = (read?.columns ?? []).map(({ name }) => name);
  switch (kind) {
    case "dataset":
      return names;
    case "datasets":
      return oneMore(names, text);
    case "column":
      return columns;
    case "columns":
      return oneMore(columns, text);
    default:
      return [];
  }
}

/** What is written before the last comma, once with each name that is not there yet. */
function oneMore(names: readonly string[], text: string): string[] {
  const written = text
    .split(",")
    .slice(0, -1)
    .map((each) => each.trim());
  return names.filter((name) => !written.includes(name)).map((name) => [...written, name].join(", "));
}
