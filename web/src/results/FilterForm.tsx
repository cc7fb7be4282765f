import { useCallback, useState } from "react";
import type { Schemas } from "../api/client";
import { type Filter, filterWords, needsValue, type Test } from "../sheet/filters";
import { count, number } from "../text/words";
import styles from "./FilterForm.module.css";
import { testsFor } from "./rowView";

type Props = {
  name: string;
  columns: Schemas["Column"][];
  filters: Filter[];
  /** How many rows pass, of all. */
  shown: number | undefined;
  all: number;
  /** The value that is selected: whoever filters probably means it. */
  start?: { column: string; value: unknown } | undefined;
  problem: string | undefined;
  onFilters: (filters: Filter[]) => void;
};

/** What rows of a result must be like to be looked at: one more condition, and those that hold. */
export function FilterForm({ name, columns, filters, shown, all, start, problem, onFilters }: Props) {
  const [chosen, setChosen] = useState(start?.column ?? columns[0]?.name ?? "");
  const [first] = useState(start === undefined || start.value === null ? "" : String(start.value));
  const [wanted, setTest] = useState<Test>("is");
  const tests = testsFor(columns.find((column) => column.name === chosen)?.type ?? "string");
  const test = tests.includes(wanted) ? wanted : (tests[0] ?? "is");
  const isOpened = filters.length === 0; // by a click; with filters it may stand there since the page was read
  const take = useCallback(
    (field: HTMLInputElement | null) => {
      if (isOpened) field?.focus();
      field?.select();
    },
    [isOpened],
  );
  return (
    <form
      className={styles.form}
      aria-label={`Filter ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        const value = needsValue(test) ? String(new FormData(event.currentTarget).get("value") ?? "") : "";
        onFilters([...filters, { column: chosen, test, value }]);
        const field = event.currentTarget.elements.namedItem("value");
        if (field instanceof HTMLInputElement) field.value = "";
      }}
    >
      <select aria-label="Column" value={chosen} onChange={(event) => setChosen(event.target.value)}>
        {columns.map((column) => (
          <option key={column.name}>{column.name}</option>
        ))}
      </select>
      <select aria-label="Test" value={test} onChange={(event) => setTest(event.target.value as Test)}>
        {tests.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      {needsValue(test) && <input name="value" aria-label="Value" defaultValue={first} ref={take} />}
      <button type="submit" className="button">
        Filter
      </button>
      {filters.map((filter, at) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: the same condition may be given twice
          key={at}
          type="button"
          className={styles.chip}
          aria-label={`Remove the filter ${filterWords(filter)}`}
          onClick={() => onFilters(filters.filter((_, i) => i !== at))}
        >
          {filterWords(filter)} ×
        </button>
      ))}
      <span role="status" className={styles.told}>
        {problem ?? (filters.length > 0 && shown !== undefined ? `${number(shown)} of ${count(all, "row")}` : "")}
      </span>
    </form>
  );
}
