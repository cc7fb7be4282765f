import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { count, number } from "../text/words";
import { fetchValues } from "./api";
import styles from "./FacetDialog.module.css";
import { FormDialog } from "./FormDialog";
import { type Choice, chosenIn, type Filter } from "./filters";
import type { SheetSession } from "./SheetSession";

const SHOWN = 200;
const MOST = 100;

type Props = {
  session: SheetSession;
  column: string;
  /** What was chosen before. */
  filter: Filter | undefined;
  /** What the other filters let through. */
  where: string | undefined;
  onSave: (filter: Filter | undefined) => void;
  onClose: () => void;
};

/** The values of a column with how often each stands there, to choose which rows to look at. */
export function FacetDialog({ session, column, filter, where, onSave, onClose }: Props) {
  const [text, setText] = useState("");
  const [test, setTest] = useState<Choice>(filter?.test === "is none of" ? "is none of" : "is one of");
  const [chosen, setChosen] = useState<(string | null)[]>(() => (filter ? chosenIn(filter) : []));
  const query = useQuery({
    queryKey: ["sheet values", session.id, session.revision, column, where, text],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => fetchValues(session.id, { column, text, limit: SHOWN, where }, signal),
  });
  const values = query.data?.values ?? [];
  const most = Math.max(1, ...values.map((each) => each.count));
  const toggle = (value: string | null) =>
    setChosen(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]);
  // What was chosen counts even while another text is looked for, and the list shows other values.
  const counts = useRef(new Map<string | null, number>());
  for (const each of values) counts.current.set(each.text, each.count);
  const known = chosen.map((value) => counts.current.get(value));
  const rows = known.includes(undefined) ? undefined : known.reduce<number>((sum, n) => sum + (n ?? 0), 0);
  return (
    <FormDialog
      title={`Values of ${column}`}
      submit={chosen.length === 0 ? "Show all" : "Filter"}
      isBusy={chosen.length > MOST}
      problem={chosen.length > MOST ? `Choose at most ${MOST} values, or those to leave out.` : query.error?.message}
      onClose={onClose}
      onSubmit={() => onSave(chosen.length === 0 ? undefined : { column, test, value: JSON.stringify(chosen) })}
    >
      <div className={styles.bar}>
        <input aria-label="Find a value" placeholder="Find…" value={text} onChange={(e) => setText(e.target.value)} />
        <select aria-label="Show or leave out" value={test} onChange={(event) => setTest(event.target.value as Choice)}>
          <option value="is one of">show only these</option>
          <option value="is none of">leave these out</option>
        </select>
      </div>
      <ul className={styles.values} aria-label="Values">
        {values.map((each) => (
          <li key={each.text ?? "\0"}>
            <label className={styles.value}>
              <input type="checkbox" checked={chosen.includes(each.text)} onChange={() => toggle(each.text)} />
              <span className={styles.text} data-none={each.text === null || undefined}>
                {each.text === null ? "no value" : each.text === "" ? "empty text" : each.text}
              </span>
              <svg className={styles.share} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(each.count / most) * 100} height={6} rx={2} />
              </svg>
              <span className={styles.count}>{number(each.count)}</span>
            </label>
          </li>
        ))}
      </ul>
      <p role="status">
        {query.data &&
          `${count(query.data.distinct, "different value")}${query.data.distinct > values.length ? `, the ${values.length} most frequent are listed` : ""}.${chosen.length > 0 ? ` ${count(chosen.length, "value")} chosen${rows === undefined ? "" : `, ${count(rows, "row")}`}.` : ""}`}
        {!query.data && !query.isError && "Counting…"}
      </p>
    </FormDialog>
  );
}
