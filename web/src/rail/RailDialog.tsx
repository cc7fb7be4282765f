import { useState } from "react";
import type { Dataset, Schemas } from "../api/client";
import { FormDialog } from "../sheet/FormDialog";
import { dependantsOf } from "./groups";
import type { Asked, RailCommands } from "./useRailCommands";

type Props = { asked: Asked; commands: RailCommands; datasets: Dataset[] };
type Dependants = NonNullable<Schemas["RemovedDataset"]["dependants"]>;

/** Asks for the new name of an entry, or whether it is to go, with what would go or suffer with it. */
export default function RailDialog({ asked, commands, datasets }: Props) {
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const isNotebook = "notebook" in asked;
  const name = isNotebook ? asked.notebook : asked.dataset.name;
  const title = `${asked.what === "rename" ? "Rename" : "Delete"} the ${kindOf(asked)} ${name}`;
  const act = (values: FormData): Promise<void> => {
    const next = String(values.get("name") ?? "").trim();
    if (asked.what === "rename")
      return isNotebook ? commands.renameNotebook(name, next) : commands.renameDataset(asked.dataset, next);
    // Without a question about them there are at most older versions that were made from it: they stay.
    const choice = (values.get("dependants") ?? "keep") as Dependants;
    return isNotebook ? commands.deleteNotebook(name) : commands.deleteDataset(asked.dataset, choice);
  };
  const submit = async (values: FormData) => {
    setBusy(true);
    try {
      await act(values);
      commands.close();
    } catch (error) {
      const { message, hint } = error as Error & { hint?: string };
      setProblem([message, hint].filter(Boolean).join(" "));
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={title}
      submit={asked.what === "rename" ? "Rename" : "Delete"}
      isBusy={isBusy}
      isFinal={asked.what === "delete"}
      problem={problem || undefined}
      onSubmit={(values) => void submit(values)}
      onClose={commands.close}
    >
      {asked.what === "rename" ? (
        <NewName name={name} isNotebook={isNotebook} />
      ) : isNotebook ? (
        <p>{notebookWords(name, datasets)}</p>
      ) : (
        <DatasetWords dataset={asked.dataset} datasets={datasets} />
      )}
    </FormDialog>
  );
}

function kindOf(asked: Asked): string {
  if ("notebook" in asked) return "notebook";
  return asked.dataset.origin === "chart" ? "chart" : "dataset";
}

function NewName({ name, isNotebook }: { name: string; isNotebook: boolean }) {
  return (
    <>
      <label>
        Name
        {/* biome-ignore lint/a11y/noAutofocus: the dialog was opened to write this */}
        <input name="name" defaultValue={name} required autoFocus />
      </label>
      {!isNotebook && <p>Queries and forms that read it follow. Python code stays as it is.</p>}
    </>
  );
}

function notebookWords(name: string, datasets: Dataset[]): string {
  const made = datasets
    .filter((each) => each.notebook === name)
    .map((each) => each.name)
    .sort();
  const outside = dependantsOf(made, datasets).filter((each) => each.notebook !== name);
  const also = made.length > 0 ? `, and with it ${listed(made)}` : "";
  const kept = outside.map((each) => each.name);
  const rest =
    kept.length > 0
      ? ` ${listed(kept)} ${kept.length === 1 ? "stays, but its" : "stay, but their"} cells cannot run again.`
      : "";
  return `The notebook goes with its whole history${also}. This cannot be undone.${rest}`;
}

function DatasetWords({ dataset, datasets }: { dataset: Dataset; datasets: Dataset[] }) {
  const dependants = dependantsOf([dataset.name], datasets).map((each) => each.name);
  if (dataset.notebook) {
    const rest =
      dependants.length > 0 ? ` ${listed(dependants)} ${are(dependants)} made from it and will miss it.` : "";
    return <p>{`The cell of the notebook ${dataset.notebook} that makes it goes. You can undo that.${rest}`}</p>;
  }
  return (
    <>
      <p>All its versions and their lineage are removed for good. This cannot be undone.</p>
      {dependants.length > 0 && (
        <label>
          {`${listed(dependants)} ${are(dependants)} made from it`}
          <select name="dependants">
            <option value="keep">Keep, without this source</option>
            <option value="remove">Delete as well</option>
          </select>
        </label>
      )}
    </>
  );
}

const are = (names: string[]) => (names.length === 1 ? "is" : "are");
const MOST = 6;

/** "a, b and c"; of many the first few. */
function listed(names: string[]): string {
  const shown = names.length > MOST ? [...names.slice(0, MOST), `${names.length - MOST} more`] : names;
  return shown.length === 1 ? String(shown[0]) : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
