import { type FormEvent, useState } from "react";
import { keysFor } from "../state/keymap";
import { count, number } from "../text/words";
import styles from "./AcknowledgeForm.module.css";
import { familyWords, type Group, total } from "./sections";

const NEEDS_NOTE = 1000;

type Scope = "places" | "group" | "family";
type Props = {
  group: Group;
  family: Group[];
  ticked: ReadonlySet<number>;
  isBusy: boolean;
  onAcknowledge: (groups: Group[], places: number[] | null, note: string) => void;
};

/** Accepts caveats: the ticked places, the group, or all of the family; a large group needs a reason. */
export function AcknowledgeForm({ group, family, ticked, isBusy, onAcknowledge }: Props) {
  const [wanted, setScope] = useState<Scope>();
  const [note, setNote] = useState("");
  const scope = wanted === "family" ? "family" : ticked.size > 0 && wanted !== "group" ? "places" : "group";
  const size = scope === "places" ? ticked.size : scope === "group" ? group.caveats.count : total(family);
  const isShort = size > NEEDS_NOTE && note.trim() === "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isShort) return;
    if (scope === "places") onAcknowledge([group], [...ticked], note.trim());
    else onAcknowledge(scope === "group" ? [group] : family, null, note.trim());
  };
  const option = (value: Scope, label: string, isOff = false) => (
    <label className={styles.option}>
      <input type="radio" name="scope" checked={scope === value} disabled={isOff} onChange={() => setScope(value)} />
      {label}
    </label>
  );
  return (
    <form className={styles.form} onSubmit={submit} aria-label="Acknowledge">
      <h3 className={styles.title}>Accept this caveat</h3>
      <fieldset className={styles.scope}>
        <legend className="visually-hidden">Which caveats</legend>
        {option(
          "places",
          ticked.size > 0 ? `the ${count(ticked.size, "ticked place")}` : "ticked places",
          ticked.size === 0,
        )}
        {option("group", `this group (${number(group.caveats.count)})`)}
        {family.length > 1 &&
          option("family", `every open “${familyWords(group.caveats.family)}” (${number(total(family))})`)}
      </fieldset>
      <div className={styles.line}>
        <input
          id="caveat-note"
          className={styles.note}
          value={note}
          placeholder={size > NEEDS_NOTE ? "Why this is fine (required for so many)" : "Why this is fine"}
          aria-label="Note"
          onChange={(event) => setNote(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
        <button type="submit" className="button" disabled={isBusy || isShort}>
          Acknowledge <kbd>{keysFor("acknowledge")}</kbd>
        </button>
      </div>
      <p className={styles.hint}>
        It stays listed with your note and no longer marks any cell, here and in everything computed from it. Loading
        the data again keeps it accepted.
      </p>
    </form>
  );
}
