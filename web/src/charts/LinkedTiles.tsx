import { count } from "../text/words";
import { PlaceLink } from "../ui/PlaceLink";
import type { LinkedCharts } from "./api";
import { BrushChips } from "./BrushChips";
import { BrushedChart } from "./BrushedChart";
import styles from "./LinkedTiles.module.css";
import { useBrushes } from "./useBrushes";

/** The charts themselves, side by side. */
export function LinkedTiles({ linked }: { linked: LinkedCharts }) {
  const brushes = useBrushes(linked);
  return (
    <>
      <BrushChips
        brushes={brushes}
        hint="Drag over a chart, click a mark, or choose an entry of a legend: the other charts follow."
      />
      <div className={styles.tiles}>
        {linked.charts.map((chart, place) => (
          <section key={chart.chart} className={styles.tile} aria-label={chart.marks.name}>
            <header>
              <h2>{chart.marks.name}</h2>
              <span>{`of ${chart.source.name}, ${count(chart.marks.rows, "mark")}`}</span>
              <PlaceLink place={{ view: "explain", chart: chart.chart }}>Explain</PlaceLink>
            </header>
            <BrushedChart brushes={brushes} place={place} />
          </section>
        ))}
      </div>
    </>
  );
}
