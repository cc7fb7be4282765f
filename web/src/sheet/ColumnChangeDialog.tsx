import { useState } from "react";
import type { Operation } from "./api";
import type { ChangeField, ColumnChange } from "./columnChanges";
import { EditPreview } from "./EditPreview";
import { FormDialog } from "./FormDialog";
import type { SheetSession } from "./SheetSession";

type Props = {
  session: SheetSession;
  change: ColumnChange;
  column: string;
  onSave: (operations: Operation[]) => void;
  onClose: () => void;
};

/** Changes a whole column in one of the usual ways, with a preview of the first values that change. */
export function ColumnChangeDialog({ session, change, column, onSave, onClose }: Props) {
  const [values, setValues] = useState(Object.fromEntries(change.fields.map(({ name, value }) => [name, value])));
  const names = session.columns.map(({ name }) => name);
  const operations = change.operations({ column, at: names.indexOf(column), values, names });
  return (
    <FormDialog
      title={`${change.label}: ${column}`}
      submit="Save"
      isBusy={operations.length === 0}
      onClose={onClose}
      onSubmit={() => onSave(operations)}
    >
      {change.fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name] ?? ""}
          onChange={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      <EditPreview session={session} operations={operations} />
    </FormDialog>
  );
}

type FieldProps = { field: ChangeField; value: string; onChange: (value: string) => void };

function Field({ field: { label, choices }, value, onChange }: FieldProps) {
  if (choices === undefined)
    return (
      <label>
        {label}
        <input value={value} autoComplete="off" onChange={(event) => onChange(event.target.value)} />
      </label>
    );
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {Object.entries(choices).map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
