import type { Dataset, Schemas } from "../api/client";
import { goTo } from "../state/place";
import { rowWords } from "../text/cellName";
import { show } from "../text/value";
import styles from "./CaveatPlace.module.css";

type Props = { place: Schemas["CaveatPlace"]; datasets: Dataset[]; repeats: boolean };

/** Where one caveat sits: the line of the file, the value in the file, and a link to the cell. */
export function CaveatPlace({ place, datasets, repeats }: Props) {
  const dataset = datasets.find((d) => d.name === place.dataset && d.version === place.version);
  const { row } = place;
  const open = () => {
    if (dataset && row !== null)
      goTo({ dataset: dataset.name, row, column: place.column ?? dataset.columns[0]?.name ?? "" });
  };
  return (
    <li className={styles.place}>
      <button type="button" className={styles.where} disabled={dataset === undefined || row === null} onClick={open}>
        {place.dataset}
        {row !== null && ` ${rowWords(row)}`}
        {place.column !== null && `, ${place.column}`}
      </button>
      {place.line !== null && <span className={styles.line}>line {place.line}</span>}
      {place.text !== null && <code className={styles.text}>{show(place.text).text}</code>}
      {!repeats && <p className={styles.message}>{place.message}</p>}
    </li>
  );
}
