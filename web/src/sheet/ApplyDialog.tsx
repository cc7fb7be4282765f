import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, unwrap } from "../api/client";
import { useNotebook, useNotebooks } from "../api/notebooks";
import { count } from "../text/words";
import { apply, findHome, type Sheet } from "./api";
import type { AppliedStep } from "./applyAtHome";
import { FormDialog } from "./FormDialog";

type Props = { sheet: Sheet; pending: number; onApplied: (step: AppliedStep) => void; onClose: () => void };

/** Asks where the edits go: one notebook cell, right after the cell that makes the data. */
export function ApplyDialog({ sheet, pending, onApplied, onClose }: Props) {
  const notebooks = useNotebooks();
  const home = useQuery({
    queryKey: ["sheet home", sheet.id],
    staleTime: 0,
    queryFn: ({ signal }) => findHome(sheet.id, signal),
  });
  const [chosen, setChosen] = useState<string>();
  const notebook = chosen ?? home.data?.notebook ?? notebooks.data?.[0] ?? "";
  return notebooks.isPending || home.isPending ? null : notebook === "" ? (
    <Form
      key="new"
      sheet={sheet}
      pending={pending}
      notebook=""
      place={undefined}
      onApplied={onApplied}
      onClose={onClose}
    />
  ) : (
    <InNotebook
      key={notebook}
      sheet={sheet}
      pending={pending}
      notebook={notebook}
      notebooks={notebooks.data ?? []}
      onChoose={setChosen}
      onApplied={onApplied}
      onClose={onClose}
    />
  );
}

type Chosen = Props & { notebook: string; notebooks?: string[]; onChoose?: (name: string) => void };

function InNotebook(props: Chosen) {
  const notebook = useNotebook(props.notebook);
  if (notebook.isPending) return null;
  const cells = notebook.data?.cells ?? [];
  const at = cells.findLastIndex((cell) => cell.datasets.some((made) => made.name === props.sheet.dataset));
  return <Form {...props} place={at < 0 ? undefined : at + 1} />;
}

function Form(props: Chosen & { place: number | undefined }) {
  const { sheet, pending, notebook, notebooks = [], place, onChoose, onApplied, onClose } = props;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const send = async (values: FormData) => {
    setBusy(true);
    try {
      const target = String(values.get("notebook") ?? "").trim() || "edits";
      if (notebook === "") await unwrap(client.POST("/api/notebooks", { body: { name: target } }));
      const name = String(values.get("name") ?? "").trim();
      const { cell } = await apply(sheet.id, {
        notebook: target,
        name,
        ...(place !== undefined && { position: place }),
      });
      onApplied({ notebook: target, cell: cell.id });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "The edits could not be saved.");
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={`Save ${count(pending, "edit")} as a notebook step`}
      submit="Save"
      isBusy={isBusy}
      problem={problem}
      onSubmit={(values) => void send(values)}
      onClose={onClose}
    >
      {/* biome-ignore lint/a11y/noLabelWithoutControl: one of the two is always there */}
      <label>
        Notebook
        {notebook === "" ? (
          <input name="notebook" defaultValue="edits" required />
        ) : (
          <select name="notebook" value={notebook} onChange={(event) => onChoose?.(event.target.value)}>
            {notebooks.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )}
      </label>
      <label>
        Name of the result
        <input name="name" defaultValue={place === undefined ? `${sheet.dataset}_edited` : sheet.dataset} required />
      </label>
      <p>
        {place === undefined
          ? `${sheet.dataset} does not change: the result is a new dataset.`
          : `The step comes right after the cell that makes ${sheet.dataset}, and whatever is computed from ${sheet.dataset} runs again.`}
      </p>
    </FormDialog>
  );
}
