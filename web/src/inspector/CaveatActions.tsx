import type { Dataset, Schemas } from "../api/client";
import { type Notebook, type NotebookCell, useEdits, useNotebooks, useSeveralNotebooks } from "../api/notebooks";
import { useAbout } from "../api/queries";
import { fetchOverview } from "../caveats/api";
import { focusCellOnceThere } from "../notebook/focusCell";
import { goTo, goToSearch } from "../state/place";
import { say } from "../state/toast";
import styles from "./CaveatActions.module.css";
import { commonWord, editablePlace, findLoadCell, nullsWith } from "./caveatRemedies";

type Group = Schemas["CaveatSummary"];
type Props = {
  group: Group;
  datasets: Dataset[];
  /** Beside the form that accepts the group: then only what is done about it otherwise. */
  isBesideForm?: boolean;
};

/** What can be done about caveats: mend the value, read the file in another way, or accept them. */
export function CaveatActions({ group, datasets, isBesideForm = false }: Props) {
  const about = useAbout();
  if (!about.data || about.data.shared) return null;
  const place = editablePlace(group, datasets);
  const word = commonWord(group);
  return (
    <div className={styles.actions}>
      {place && (
        <button
          type="button"
          className="button"
          title={`Opens ${place.dataset} at this value, to edit it. The edit becomes a step of a notebook; the file stays as it is.`}
          onClick={() =>
            goTo({ view: "sheet", dataset: place.dataset, row: place.row ?? 0, column: place.column ?? "" })
          }
        >
          Fix
        </button>
      )}
      {place && word !== undefined && <TreatAsMissing dataset={place.dataset} word={word} />}
      {!isBesideForm && (
        <button
          type="button"
          className="button"
          title="Shows the whole group, to accept it with a note. Accepted caveats stay listed and mark nothing."
          onClick={() => void openGroup(group)}
        >
          Accept…
        </button>
      )}
    </div>
  );
}

/** Offered where a notebook loads the dataset: a file that a program loaded is read again by that program only. */
function TreatAsMissing({ dataset, word }: { dataset: string; word: string }) {
  const notebooks = useSeveralNotebooks(useNotebooks().data ?? []);
  const load = findLoadCell(notebooks, dataset);
  return load && <MissingButton notebook={load[0]} cell={load[1]} word={word} />;
}

/** Writes the word into the load cell, which then runs again. */
function MissingButton({ notebook, cell, word }: { notebook: Notebook; cell: NotebookCell; word: string }) {
  const { change } = useEdits(notebook.name);
  const showCell = () => {
    goTo({ notebook: notebook.name });
    focusCellOnceThere(cell.id);
  };
  const treat = () =>
    change.mutate(
      { cell: cell.id, values: { nulls: nullsWith(cell, word) } },
      {
        onSuccess: () =>
          say({
            text: `The file is read again with “${word}” as no value.`,
            action: { label: "Show the cell", run: showCell },
          }),
        onError: (error) => say({ text: error.message }),
      },
    );
  return (
    <button
      type="button"
      className="button"
      disabled={change.isPending}
      title={`Adds “${word}” to the words for no value of the load cell in ${notebook.name}, which reads the file again. Everything made from it follows.`}
      onClick={treat}
    >
      Treat “{word}” as missing
    </button>
  );
}

/** Opens the list of all caveats at this group. */
async function openGroup(group: Group): Promise<void> {
  try {
    const { groups } = await fetchOverview();
    const raisedIn = new Set(group.references.map((place) => place.dataset));
    const same = groups.find(
      ({ caveats, raised_in }) =>
        caveats.family === group.family &&
        caveats.made_by === group.made_by &&
        caveats.column === group.column &&
        raisedIn.has(raised_in.name),
    );
    const query = new URLSearchParams({ view: "caveats", ...(same && { group: same.id }) });
    goToSearch(`?${query}`, true);
  } catch (error) {
    say({ text: error instanceof Error ? error.message : "The caveats could not be read." });
  }
}
