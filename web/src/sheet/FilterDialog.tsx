import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { fetchValues } from "./api";
import { FormDialog } from "./FormDialog";
import { type Filter, needsValue, TESTS, type Test } from "./filters";
import type { SheetSession } from "./SheetSession";

const OFFERED = 20;
/** Values of longer sheets are counted only when somebody asks to choose from them: that takes seconds. */
const MOST_ROWS = 1_000_000;

type Props = {
  session: SheetSession;
  columns: readonly string[];
  filter: Filter;
  /** What the other filters let through. */
  where: string | undefined;
  onSave: (filter: Filter) => void;
  onClose: () => void;
};

/** One condition on one column; the frequent values of the column are offered. */
export function FilterDialog({ session, columns, filter, where, onSave, onClose }: Props) {
  const [test, setTest] = useState<Test>(filter.test);
  const [column, setColumn] = useState(filter.column);
  const id = useId();
  const asked = { column, text: "", limit: OFFERED, where };
  const offered = useQuery({
    queryKey: ["sheet values", session.id, session.revision, asked],
    enabled: needsValue(test) && session.sheet.count <= MOST_ROWS,
    queryFn: ({ signal }) => fetchValues(session.id, asked, signal),
  });
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
        <select name="column" value={column} onChange={(event) => setColumn(event.target.value)}>
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
          <input name="value" defaultValue={filter.value} list={id} autoComplete="off" autoFocus />
          <datalist id={id}>
            {offered.data?.values.map((each) => each.text && <option key={each.text} value={each.text} />)}
          </datalist>
        </label>
      )}
      <p>No row is lost: this only chooses what you look at.</p>
    </FormDialog>
  );
}
