import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useDatasets } from "../api/queries";
import { fetchFunctions, type Operation } from "./api";
import { EditPreview } from "./EditPreview";
import { FormDialog } from "./FormDialog";
import { FormulaField } from "./FormulaField";
import type { SheetSession } from "./SheetSession";

type Props = {
  session: SheetSession;
  after: string;
  name: string;
  onAdd: (operation: Operation) => void;
  onClose: () => void;
};

/** Adds a column that a formula computes for every row, with a preview of the first rows. */
export function AddColumnDialog({ session, after, name: suggested, onAdd, onClose }: Props) {
  const [name, setName] = useState(suggested);
  const [formula, setFormula] = useState("");
  const functions = useQuery({
    queryKey: ["sheet functions"],
    queryFn: ({ signal }) => fetchFunctions(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const datasets = useDatasets();
  const written = formula.trim().replace(/^=?/, "=");
  const isWritten = written.length > 1;
  const operation = { operation: "insert_column", arguments: { name: name.trim(), after, value: written } };
  return (
    <FormDialog
      title={`Add a column after ${after}`}
      submit="Add"
      isBusy={name.trim() === "" || !isWritten}
      onClose={onClose}
      onSubmit={() => onAdd(operation)}
    >
      <label>
        Name
        <input value={name} required onChange={(event) => setName(event.target.value)} />
      </label>
      <FormulaField
        label="Formula, written as for the first row"
        text={formula}
        names={{ columns: session.columns, functions: functions.data ?? [], datasets: datasets.data ?? [] }}
        onChange={setFormula}
      />
      <EditPreview session={session} operations={isWritten && name.trim() !== "" ? [operation] : []} />
    </FormDialog>
  );
}
