import type { Dataset, Schemas } from "../api/client";
import { count, number } from "../text/words";
import { CaveatActions } from "./CaveatActions";
import styles from "./CaveatCard.module.css";
import { CaveatPlace } from "./CaveatPlace";

const MANY = 3;

/** Whether the sentence about the group says what one place says: it is the same, or it is about all of them. */
function isSaid(place: Schemas["CaveatPlace"], { message, references }: Schemas["CaveatSummary"]): boolean {
  return place.message === message || references.every((each) => each.message !== message);
}

/** One group of doubts: what is wrong, how often, who said so, and where each one sits. */
export function CaveatCard({ group, datasets }: { group: Schemas["CaveatSummary"]; datasets: Dataset[] }) {
  const shown = group.references.length;
  const places = (
    <ul className={styles.places}>
      {group.references.map((place, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two caveats may say the same of the same place
        <CaveatPlace key={i} place={place} datasets={datasets} repeats={isSaid(place, group)} />
      ))}
    </ul>
  );
  return (
    <li className={styles.card}>
      <p className={styles.message}>{group.message}</p>
      <p className={styles.facts}>
        <span className={styles.family}>{group.family}</span>
        <span>raised by {group.made_by}</span>
        <span>{count(group.count, "place")}</span>
      </p>
      <CaveatActions group={group} datasets={datasets} />
      {shown <= MANY ? (
        places
      ) : (
        <details>
          <summary className={styles.show}>Show the places</summary>
          {places}
        </details>
      )}
      {group.count > shown && (
        <p className={styles.facts}>
          The first {shown} of {number(group.count)}.
        </p>
      )}
    </li>
  );
}
