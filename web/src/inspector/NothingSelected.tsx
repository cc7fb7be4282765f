import type { Dataset } from "../api/client";
import { fetchDoubt } from "../api/queries";
import { goTo } from "../state/place";
import { Notice } from "../ui/Notice";

/** What the inspector says before a cell is chosen. */
export function NothingSelected({ dataset, isSheet }: { dataset: Dataset; isSheet: boolean }) {
  const { doubt } = dataset;
  const isDoubtful = doubt.columns.length > 0 || doubt.rows;
  const showFirst = async () => {
    const found = await fetchDoubt(dataset, undefined, "next").catch(() => null);
    if (found) goTo({ dataset: dataset.name, row: found.row, column: found.column });
  };
  if (isSheet)
    return (
      <Notice title="Select a cell to see where it came from.">
        Arrow keys move, typing edits, <kbd>F8</kbd> goes to the next doubtful cell, <kbd>Ctrl G</kbd> to any row.
      </Notice>
    );
  return (
    <Notice
      title="Select a cell to see where it came from."
      {...(isDoubtful && { action: { label: "Show the first doubtful cell", run: () => void showFirst() } })}
    >
      <p>
        Arrow keys move, <kbd>Enter</kbd> opens this panel, <kbd>F8</kbd> goes to the next doubtful cell.
      </p>
    </Notice>
  );
}
