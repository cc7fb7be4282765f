import type { Names } from "../editor/names";

/** The names that a field offers: datasets, or the columns of the dataset that the cell reads, after those written. */
export function offersOf(kind: string, text: string, source: string, { datasets }: Names): string[] {
  if (kind === "dataset") return datasets.map(({ name }) => name);
  const columns = datasets.find(({ name }) => name.toLowerCase() === source.trim().toLowerCase())?.columns ?? [];
  if (kind === "column") return columns.map(({ name }) => name);
  if (kind !== "columns") return [];
  const written = text
    .split(",")
    .slice(0, -1)
    .map((each) => each.trim());
  const left = columns.map(({ name }) => name).filter((name) => !written.includes(name));
  return left.map((name) => [...written, name].join(", "));
}
