import { useEffect, useRef, useState } from "react";
import type { Json } from "../chart/themed";
import { say } from "../state/toast";
import { count, number } from "../text/words";
import { PlaceLink } from "../ui/PlaceLink";
import { type Brush, type Brushed, brushChart, clearBrush, type LinkedCharts, prepareBrush } from "./api";
import type { Rows } from "./drawMarks";
import styles from "./LinkedTiles.module.css";
import { MarkChart } from "./MarkChart";

type Tile = { rows: Rows | undefined; marks: number[] };
type Legend = Record<number, unknown[]>;

/** The charts themselves; brushes combine, and a chart is not filtered by its own. */
export function LinkedTiles({ linked }: { linked: LinkedCharts }) {
  const { link, charts } = linked;
  const [tiles, setTiles] = useState<Tile[]>(() => charts.map(() => ({ rows: undefined, marks: [] })));
  const [legend, setLegend] = useState<Legend>({});
  const [notes, setNotes] = useState<string[]>([]);
  const [cursors, setCursors] = useState<Record<number, number>>({});
  const [took, setTook] = useState<number>();
  const prepared = useRef(new Set<number>());
  const running = useRef<AbortController>(undefined);
  const last = useRef("");
  useEffect(() => () => running.current?.abort(), []);

  const take = (answer: Brushed, chart: number | undefined) => {
    setNotes(answer.notes);
    setTook(answer.milliseconds);
    setTiles((known) =>
      known.map((tile, place) => {
        const found = answer.charts.find((each) => each.chart === place);
        const marks = chart === undefined ? [] : place === chart ? answer.marks : tile.marks;
        return { marks, rows: found ? (found.rows as Rows) : tile.rows };
      }),
    );
  };
  const failed = (error: Error) => {
    if (error.name !== "AbortError") say({ text: error.message });
  };
  const brush = (asked: Brush) => {
    const key = JSON.stringify(asked);
    if (key === last.current) return;
    last.current = key;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    brushChart(link, asked, controller.signal)
      .then((answer) => take(answer, asked.chart))
      .catch(failed);
  };
  const clear = (chart: number | undefined) => {
    last.current = "";
    running.current?.abort();
    setLegend((known) => (chart === undefined ? {} : { ...known, [chart]: [] }));
    clearBrush(link, chart)
      .then((answer) => {
        take(answer, chart);
        if (chart !== undefined)
          setTiles((known) => known.map((tile, place) => (place === chart ? { ...tile, marks: [] } : tile)));
      })
      .catch(failed);
  };
  const select = (chart: number, marks: number[]) => {
    setLegend((known) => ({ ...known, [chart]: [] }));
    if (marks.length === 0) clear(chart);
    else brush({ chart, marks });
  };
  const pickLegend = (chart: number, value: unknown) => {
    const known = legend[chart] ?? [];
    const next = known.includes(value) ? known.filter((each) => each !== value) : [...known, value];
    setLegend({ ...legend, [chart]: next });
    if (next.length === 0) clear(chart);
    else brush({ chart, color: next as never });
  };
  const prepare = (chart: number) => {
    if (prepared.current.has(chart)) return;
    prepared.current.add(chart);
    prepareBrush(link, chart).catch(failed);
  };
  const brushed = tiles.flatMap((tile, place) => (tile.marks.length > 0 ? [place] : []));

  return (
    <>
      <div className={styles.brushes} role="status" aria-label="Brushes">
        {brushed.length === 0 ? (
          <span>Drag over a chart, click a mark, or choose an entry of a legend: the other charts follow.</span>
        ) : (
          <>
            {brushed.map((place) => (
              <button key={place} type="button" className={styles.chip} onClick={() => clear(place)}>
                {`${charts[place]?.marks.name}: ${count(tiles[place]?.marks.length ?? 0, "mark")}`}
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
      <div className={styles.tiles}>
        {charts.map((chart, place) => {
          const tile = tiles[place] ?? { rows: undefined, marks: [] };
          const isFollowing = brushed.some((each) => each !== place);
          return (
            <section key={chart.chart} className={styles.tile} aria-label={chart.marks.name}>
              <header>
                <h2>{chart.marks.name}</h2>
                <span>{`of ${chart.source.name}, ${count(chart.marks.rows, "mark")}`}</span>
                <PlaceLink place={{ view: "explain", chart: chart.chart }}>Explain</PlaceLink>
              </header>
              <MarkChart
                spec={chart.vega}
                label={`Chart ${chart.marks.name}; drag to brush, arrow keys walk the marks, Space selects, Escape clears`}
                isOverlaid
                rows={shownRows(chart.vega, isFollowing ? tile.rows : undefined, tile.marks)}
                cursor={cursors[place]}
                onEnter={() => prepare(place)}
                onCursor={(mark) => setCursors({ ...cursors, [place]: mark })}
                onPick={(mark, isAdding) => {
                  if (mark === undefined) return select(place, []);
                  const others = tile.marks.filter((each) => each !== mark);
                  if (!isAdding) return select(place, tile.marks.length === 1 && others.length === 0 ? [] : [mark]);
                  return select(place, others.length < tile.marks.length ? others : [...tile.marks, mark]);
                }}
                onBrush={(marks) => marks.length > 0 && select(place, marks)}
                onKey={(key) => {
                  if (key === "Shift+Escape") clear(undefined);
                  else if (key === "Escape" && tile.marks.length > 0) clear(place);
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
                      aria-pressed={legend[place]?.includes(value) ?? false}
                      onClick={() => pickLegend(place, value)}
                    >
                      {String(value ?? "missing")}
                    </button>
                  ))}
                </fieldset>
              )}
            </section>
          );
        })}
      </div>
    </>
  );
}

/** What is in colour: the values under the other brushes, and of these, in a chart that is brushed, its own selection. */
function shownRows(vega: Json, rows: Rows | undefined, marks: number[]): Rows | undefined {
  if (marks.length === 0) return rows;
  const all = rows ?? (vega.datasets as Rows | undefined) ?? {};
  const chosen = new Set<unknown>(marks);
  const isChosen = (row: Json) => chosen.has(row._mark);
  return Object.fromEntries(Object.entries(all).map(([name, each]) => [name, each.filter(isChosen)]));
}
