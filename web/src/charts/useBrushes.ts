import { useEffect, useRef, useState } from "react";
import type { Json } from "../chart/themed";
import { say } from "../state/toast";
import { type Brush, type Brushed, brushChart, clearBrush, type LinkedCharts, prepareBrush } from "./api";
import type { Rows } from "./drawMarks";

type Tile = { rows: Rows | undefined; marks: number[] };
type Legend = Record<number, unknown[]>;
const NOTHING: Tile = { rows: undefined, marks: [] };

export type Brushes = ReturnType<typeof useBrushes>;

/** What is brushed in linked charts; brushes combine, and a chart is not filtered by its own. */
export function useBrushes({ link, charts }: LinkedCharts) {
  const [tiles, setTiles] = useState<Tile[]>(() => charts.map(() => NOTHING));
  const [legend, setLegend] = useState<Legend>({});
  const [notes, setNotes] = useState<string[]>([]);
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
  const marksOf = (chart: number) => (tiles[chart] ?? NOTHING).marks;
  const isFollowing = (chart: number) => brushed.some((each) => each !== chart);
  return {
    charts,
    brushed,
    notes,
    took,
    clear,
    select,
    pickLegend,
    prepare,
    marksOf,
    legendOf: (chart: number) => legend[chart] ?? [],
    /** What of a chart is in colour: the values under the other brushes, and of these its own selection. */
    rowsOf: (chart: number) =>
      shownRows(charts[chart]?.vega ?? {}, isFollowing(chart) ? tiles[chart]?.rows : undefined, marksOf(chart)),
  };
}

function shownRows(vega: Json, rows: Rows | undefined, marks: number[]): Rows | undefined {
  if (marks.length === 0) return rows;
  const all = rows ?? (vega.datasets as Rows | undefined) ?? {};
  const chosen = new Set<unknown>(marks);
  const isChosen = (row: Json) => chosen.has(row._mark);
  return Object.fromEntries(Object.entries(all).map(([name, each]) => [name, each.filter(isChosen)]));
}
