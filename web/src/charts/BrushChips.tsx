import { count, number } from "../text/words";
import styles from "./LinkedTiles.module.css";
import type { Brushes } from "./useBrushes";

/** What is brushed, each brush with a way to clear it; and which charts do not follow, and why. */
export function BrushChips({ brushes, hint }: { brushes: Brushes; hint: string }) {
  const { charts, brushed, notes, took, clear, marksOf } = brushes;
  return (
    <>
      <div className={styles.brushes} role="status" aria-label="Brushes">
        {brushed.length === 0 ? (
          <span>{hint}</span>
        ) : (
          <>
            {brushed.map((place) => (
              <button key={place} type="button" className={styles.chip} onClick={() => clear(place)}>
                {`${charts[place]?.marks.name}: ${count(marksOf(place).length, "mark")}`}
                <span className="visually-hidden">, clear</span>
                <span aria-hidden="true"> ✕</span>
              </button>
            ))}
            <button type="button" className="button" onClick={() => clear(undefined)}>
              Clear all
            </button>
            {took !== undefined && <span>{`answered in ${number(Math.max(0.1, Math.round(took * 10) / 10))} ms`}</span>}
          </>
        )}
      </div>
      {notes.length > 0 && (
        <ul className={styles.notes} aria-label="Charts that do not follow">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </>
  );
}
