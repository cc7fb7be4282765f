import { useState } from "react";
import type { Json } from "../chart/themed";
import styles from "./LinkedTiles.module.css";
import { MarkChart } from "./MarkChart";
import type { Brushes } from "./useBrushes";

type Props = {
  brushes: Brushes;
  /** Which of the linked charts it is. */
  place: number;
  /** How it is drawn; as the server drew it unless given. */
  spec?: Json;
  /** A click on a mark, or Enter, beside selecting it. */
  onMark?: (mark: number) => void;
};

/** One of several linked charts: drags, clicks and keys select marks of it, and it follows the others. */
export function BrushedChart({ brushes, place, spec, onMark }: Props) {
  const [cursor, setCursor] = useState<number>();
  const chart = brushes.charts[place];
  if (!chart) return null;
  const { marksOf, select, clear } = brushes;
  const marks = marksOf(place);
  return (
    <>
      <MarkChart
        spec={spec ?? chart.vega}
        label={`Chart ${chart.marks.name}; drag to brush, arrow keys walk the marks, Space selects, Escape clears`}
        isOverlaid
        rows={brushes.rowsOf(place)}
        cursor={cursor}
        onEnter={() => brushes.prepare(place)}
        onCursor={setCursor}
        onPick={(mark, isAdding) => {
          if (mark === undefined) return select(place, []);
          const others = marks.filter((each) => each !== mark);
          if (isAdding) return select(place, others.length < marks.length ? others : [...marks, mark]);
          const isAlone = marks.length === 1 && others.length === 0;
          if (!isAlone) onMark?.(mark);
          return select(place, isAlone ? [] : [mark]);
        }}
        onBrush={(covered) => covered.length > 0 && select(place, covered)}
        onKey={(key) => {
          if (key === "Shift+Escape") clear(undefined);
          else if (key === "Escape" && marks.length > 0) clear(place);
          else return false;
          return true;
        }}
      />
      {chart.colors.length > 1 && (
        <fieldset className={styles.legend}>
          <legend className="visually-hidden">{`Legend of ${chart.marks.name}`}</legend>
          {chart.colors.map((value) => (
            <button
              key={String(value)}
              type="button"
              aria-pressed={brushes.legendOf(place).includes(value)}
              onClick={() => brushes.pickLegend(place, value)}
            >
              {String(value ?? "missing")}
            </button>
          ))}
        </fieldset>
      )}
    </>
  );
}
