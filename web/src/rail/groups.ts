import type { Dataset } from "../api/client";

export type NotebookGroup = { name: string; datasets: Dataset[] };
export type Groups = { notebooks: NotebookGroup[]; charts: Dataset[]; others: Dataset[] };

/** The datasets by the notebook that makes them, with charts apart; only what answers the search, if there is one. */
export function groupEntries(notebooks: string[], datasets: Dataset[], search = ""): Groups {
  const wanted = search.trim().toLowerCase();
  const isNamed = (name: string) => name.toLowerCase().includes(wanted);
  const isFound = ({ name, columns }: Dataset) => isNamed(name) || columns.some((column) => isNamed(column.name));
  const tables = datasets.filter(({ origin }) => origin !== "chart");
  const madeBy = (name: string) => tables.filter(({ notebook }) => notebook === name);
  return {
    notebooks: notebooks
      .map((name) => ({ name, datasets: isNamed(name) ? madeBy(name) : madeBy(name).filter(isFound) }))
      .filter((group) => isNamed(group.name) || group.datasets.length > 0),
    charts: datasets.filter(({ name, origin }) => origin === "chart" && isNamed(name)),
    others: tables.filter((dataset) => !(dataset.notebook && notebooks.includes(dataset.notebook)) && isFound(dataset)),
  };
}

/** Everything made from a dataset, at any distance, in the order of the list. */
export function dependantsOf(names: string[], datasets: Dataset[]): Dataset[] {
  const reached = new Set(names);
  for (let size = -1; size !== reached.size; ) {
    size = reached.size;
    for (const each of datasets) if (each.parents.some((parent) => reached.has(parent))) reached.add(each.name);
  }
  return datasets.filter(({ name }) => reached.has(name) && !names.includes(name));
}

/** A name for a copy that is not taken: prices_copy, prices_copy2. */
export function copyName(name: string, taken: string[], joint = "_copy"): string {
  const known = new Set(taken.map((each) => each.toLowerCase()));
  let found = `${name}${joint}`;
  for (let number = 2; known.has(found.toLowerCase()); number += 1) found = `${name}${joint}${number}`;
  return found;
}
