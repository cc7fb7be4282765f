import type { Dataset, Schemas } from "../api/client";
import type { Notebook, NotebookCell } from "../api/notebooks";

type Group = Schemas["CaveatSummary"];
type Place = Schemas["CaveatPlace"];

const LONGEST_WORD = 40;

/** The first place of a group that can be edited: a value of a dataset as it is now. */
export function editablePlace(group: Group, datasets: Dataset[]): Place | undefined {
  return group.references.find(
    (place) =>
      place.row !== null &&
      place.column !== null &&
      datasets.some((each) => each.name === place.dataset && each.version === place.version),
  );
}

/** The text that most of the places have in their file, if it is short enough to be a word for "no value". */
export function commonWord(group: Group): string | undefined {
  const counts = new Map<string, number>();
  for (const { text } of group.references) {
    const word = text?.trim() ?? "";
    if (word !== "" && word.length <= LONGEST_WORD) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const [first] = [...counts].sort((one, other) => other[1] - one[1]);
  return first?.[0];
}

/** The cell that loads a dataset, with the notebook it is in. */
export function findLoadCell(notebooks: Notebook[], dataset: string): [Notebook, NotebookCell] | undefined {
  for (const notebook of notebooks) {
    const cell = notebook.cells.find(
      (each) => each.kind === "load" && each.datasets.some((made) => made.name === dataset),
    );
    if (cell) return [notebook, cell];
  }
  return undefined;
}

/** The words for "no value" of a load cell, with one more. */
export function nullsWith(cell: NotebookCell, word: string): string[] {
  const words = Array.isArray(cell.values.nulls) ? cell.values.nulls.map(String) : [];
  return words.includes(word) ? words : [...words, word];
}
