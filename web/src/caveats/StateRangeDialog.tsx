import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Dataset } from "../api/client";
import { addCellBelow } from "../notebook/addCellBelow";
import { FormDialog } from "../sheet/FormDialog";
import { say } from "../state/toast";
import styles from "./StateRangeDialog.module.css";
import { caveatValues, NO_RANGE, type RangeFields } from "./statedRange";

type Props = { dataset: Dataset; column: string; onClose: () => void };

/** Says between which values cells of a column lie, and why they are in doubt; it becomes a cell that marks them. */
export function StateRangeDialog({ dataset, column, onClose }: Props) {
  const queries = useQueryClient();
  const [fields, setFields] = useState(NO_RANGE);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const values = caveatValues(dataset.name, column, fields);
  const add = async () => {
    if (values === undefined) return;
    setBusy(true);
    try {
      const action = await addCellBelow(queries, dataset, { kind: "caveat", values, is_draft: false });
      say({ text: `A new cell says what ${column} of ${dataset.name} can be.`, action });
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "The range could not be stated.");
      setBusy(false);
    }
  };
  const field = (name: keyof RangeFields, label: string, placeholder = "") => (
    <label>
      {label}
      <input
        value={fields[name]}
        placeholder={placeholder}
        autoComplete="off"
        onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
      />
    </label>
  );
  return (
    <FormDialog
      title={`State a range: ${column}`}
      submit="State"
      isBusy={isBusy || values === undefined}
      problem={problem || undefined}
      onClose={onClose}
      onSubmit={() => void add()}
    >
      {field("where", "In which rows; in all if left open", `${column} is null`)}
      <div className={styles.pair}>
        {field("low", "Least value")}
        {field("high", "Greatest value")}
      </div>
      {field("message", "Why it is in doubt")}
      <p>The cells of these rows become doubtful. What is made from them shows how wrong it can be.</p>
    </FormDialog>
  );
}
