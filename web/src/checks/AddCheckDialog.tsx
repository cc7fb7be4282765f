import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Dataset } from "../api/client";
import { addCellBelow } from "../notebook/addCellBelow";
import { FormDialog } from "../sheet/FormDialog";
import { say } from "../state/toast";
import styles from "./AddCheckDialog.module.css";
import { suggestedChecks } from "./api";
import { CheckForm } from "./CheckForm";
import { CheckPreview } from "./CheckPreview";
import { type ColumnKind, cellValues, checkOf, formOf, NO_FIELDS } from "./columnChecks";

type Props = { dataset: Dataset; column: string; onClose: () => void };

/** Says what a column should hold, with a preview of the rows that fail; it becomes a cell that marks them. */
export default function AddCheckDialog({ dataset, column, onClose }: Props) {
  const queries = useQueryClient();
  const [kind, setKind] = useState<ColumnKind>("not_null");
  const [fields, setFields] = useState(NO_FIELDS);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const type = dataset.columns.find((each) => each.name === column)?.type ?? "string";
  const check = checkOf(kind, { name: column, type }, fields);
  const suggestions = useQuery({
    queryKey: ["suggested checks", dataset.name, dataset.version],
    queryFn: ({ signal }) => suggestedChecks(dataset.name, signal),
    retry: false,
  });
  const offered = (suggestions.data ?? []).flatMap((each) => {
    const form = formOf(each, column);
    return form === undefined ? [] : [{ name: String(each.name), form }];
  });
  const add = async () => {
    if (check === undefined) return;
    setBusy(true);
    try {
      const cell = { kind: "expect", values: cellValues(dataset.name, check), is_draft: false };
      const others = kind === "reference" ? [fields.dataset] : [];
      const action = await addCellBelow(queries, dataset, cell, others);
      say({ text: `A new cell checks ${column} of ${dataset.name}.`, action });
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "The check could not be added.");
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={`Add a check: ${column}`}
      submit="Add"
      isBusy={isBusy || check === undefined}
      problem={problem || undefined}
      onClose={onClose}
      onSubmit={() => void add()}
    >
      <CheckForm
        column={column}
        kind={kind}
        fields={fields}
        onChange={(next, filled) => {
          setKind(next);
          setFields(filled);
        }}
      />
      {offered.length > 0 && (
        <fieldset className={styles.suggestions}>
          <legend>True of every row now</legend>
          {offered.map(({ name, form }) => (
            <button
              key={name}
              type="button"
              className="button"
              onClick={() => {
                setKind(form.kind);
                setFields(form.fields);
              }}
            >
              {name}
            </button>
          ))}
        </fieldset>
      )}
      <CheckPreview dataset={dataset} check={check} />
    </FormDialog>
  );
}
