import { useState } from "react";
import { FormDialog } from "./FormDialog";
import { type Filter, needsValue, TESTS, type Test } from "./filters";

type Props = { columns: readonly string[]; filter: Filter; onSave: (filter: Filter) => void; onClose: () => void };

/** One condition on one column. */
export function FilterDialog({ columns, filter, onSave, onClose }: Props) {
  const [test, setTest] = useState<Test>(filter.test);
  return (
    <FormDialog
      title="Look only at rows where"
      submit="Filter"
      onClose={onClose}
      onSubmit={(values) =>
        onSave({
          column: String(values.get("column")),
          test,
          value: needsValue(test) ? String(values.get("value") ?? "") : "",
        })
      }
    >
      <label>
        Column
        <select name="column" defaultValue={filter.column}>
          {columns.map((column) => (
            <option key={column}>{column}</option>
          ))}
        </select>
      </label>
      <label>
        Test
        <select value={test} onChange={(event) => setTest(event.target.value as Test)}>
          {TESTS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      {needsValue(test) && (
        <label>
          Value
          {/* biome-ignore lint/a11y/noAutofocus: the dialog was opened to write this */}
          <input name="value" defaultValue={filter.value} autoFocus />
        </label>
      )}
      <p>No row is lost: this only chooses what you look at.</p>
    </FormDialog>
  );
}
