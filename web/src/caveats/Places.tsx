import { rowWords } from "../text/cellName";
import { show } from "../text/value";
import { number } from "../text/words";
import { PlaceLink } from "../ui/PlaceLink";
import styles from "./Places.module.css";
import type { Group } from "./sections";

type Props = { group: Group; ticked: ReadonlySet<number>; onTick?: (place: number) => void };

/** Where the caveats of a group sit: the row, the line of the file and the value in the file. */
export function Places({ group, ticked, onTick }: Props) {
  const { references, count, message } = group.caveats;
  return (
    <section className={styles.places} aria-label="Examples">
      <h3 className={styles.title}>
        Where
        {count > references.length && <span>{` the first ${references.length} of ${number(count)}`}</span>}
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label="Places">
        <table className={styles.table}>
          <thead>
            <tr>
              {onTick && (
                <th scope="col">
                  <span className="visually-hidden">Ticked</span>
                </th>
              )}
              <th scope="col">Place</th>
              <th scope="col">Line</th>
              <th scope="col">Value in the file</th>
            </tr>
          </thead>
          <tbody>
            {references.map((place, position) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two caveats may say the same of the same place
              <tr key={position}>
                {onTick && (
                  <td>
                    <input
                      type="checkbox"
                      aria-label={`Tick place ${position + 1}`}
                      checked={ticked.has(position)}
                      onChange={() => onTick(position)}
                    />
                  </td>
                )}
                <td>
                  <PlaceLink
                    className={styles.where}
                    place={{
                      dataset: place.dataset,
                      ...(place.row !== null && { row: place.row }),
                      ...(place.column !== null && { column: place.column }),
                    }}
                  >
                    {place.dataset}
                    {place.row !== null && ` ${rowWords(place.row)}`}
                    {place.column !== null && `, ${place.column}`}
                  </PlaceLink>
                </td>
                <td>{place.line ?? ""}</td>
                <td>
                  {place.text !== null && <code className={styles.text}>{show(place.text).text}</code>}
                  {place.text === null && place.message !== message && (
                    <span className={styles.said}>{place.message}</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
