import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { useDatasets } from "../api/queries";
import { fittedTo } from "../chart/fitted";
import type { Json } from "../chart/themed";
import { Grid } from "../grid/Grid";
import { useSize } from "../page/useSize";
import { goTo, goToSearch } from "../state/place";
import { say } from "../state/toast";
import { count } from "../text/words";
import { PlaceLink } from "../ui/PlaceLink";
import { type DrawnChart, keepRows, readyRows, useBehind, useMarkWords } from "./api";
import { CodePane } from "./CodePane";
import { keptCharts, placeWith } from "./chosen";
import styles from "./DrawnPane.module.css";
import { KeepDialog } from "./KeepDialog";
import { MarkChart, type Ring } from "./MarkChart";
import { NameDialog } from "./NameDialog";

type Props = {
  drawn: DrawnChart;
  /** As it was written, without the size it got for this page. */
  spec: Json;
  isOld: boolean;
  isBusy: boolean;
  mark: number | undefined;
  onMark: (mark: number | undefined) => void;
};

/** The picture, what is selected in it, and what can be done with that. */
export function DrawnPane({ drawn, spec, isOld, isBusy, mark, onMark }: Props) {
  const [chosen, setChosen] = useState<number[]>([]);
  const [showsTable, setShowsTable] = useState(false);
  const [showsCode, setShowsCode] = useState(false);
  const [isKeeping, setKeeping] = useState(false);
  const [isNaming, setNaming] = useState(false);
  const host = useRef<HTMLDivElement>(null);
  const room = useSize(host);
  const fitted = useMemo(() => fittedTo(drawn.vega as Json, room?.width), [drawn.vega, room?.width]);
  const queries = useQueryClient();
  const datasets = useDatasets();
  const words = useMarkWords(drawn);
  const shown = chosen.filter((each) => each < drawn.marks.rows);
  const behind = useBehind(drawn, shown);
  const label = `Chart of ${drawn.source.name}`;
  const choose = (marks: number[], isAdding: boolean) =>
    setChosen(isAdding ? [...new Set([...chosen, ...marks])].sort((one, other) => one - other) : marks);
  const pick = (picked: number | undefined, isAdding: boolean) => {
    if (picked === undefined) {
      setChosen([]);
      onMark(undefined);
      return;
    }
    if (isAdding && chosen.includes(picked)) setChosen(chosen.filter((each) => each !== picked));
    else choose([picked], isAdding);
    onMark(picked);
  };
  const open = () =>
    keepRows(drawn.chart, shown)
      .then(async (kept) => {
        await queries.invalidateQueries({ queryKey: ["datasets"] });
        goTo({ dataset: kept.name, view: "sheet" });
      })
      .catch((error: Error) => say({ text: error.message }));
  const x = String((spec.aes as Json | undefined)?.x ?? "");
  const suggested = `${drawn.source.name}_by_${x.replace(/\W+/g, "_")}`;
  return (
    <div className={styles.pane}>
      <header className={styles.bar}>
        <p className={styles.told}>
          {`${count(drawn.marks.rows, "mark")} of ${drawn.source.name}`}
          {isBusy && <span role="status"> · drawing…</span>}
        </p>
        <button type="button" className="button" aria-pressed={showsTable} onClick={() => setShowsTable(!showsTable)}>
          Table
        </button>
        <button type="button" className="button" aria-pressed={showsCode} onClick={() => setShowsCode(!showsCode)}>
          Code
        </button>
        <PlaceLink className="button" place={{ view: "explain", chart: drawn.chart }}>
          Why does it look odd?
        </PlaceLink>
        <button
          type="button"
          className="button"
          onClick={() => goToSearch(placeWith(drawn.chart, keptCharts(datasets.data)), true)}
        >
          Put beside others
        </button>
        <button type="button" className="button" onClick={() => setNaming(true)}>
          Save chart…
        </button>
        <button type="button" className="button" onClick={() => setKeeping(true)}>
          Add to a notebook…
        </button>
      </header>
      <div ref={host} className={styles.picture} data-old={isOld || undefined}>
        {room !== undefined && (
          <MarkChart
            spec={fitted}
            label={label}
            cursor={mark}
            rings={new Map(shown.map((each): [number, Ring] => [each, "selected"]))}
            onEnter={() => void readyRows(queries, drawn)}
            onCursor={onMark}
            onPick={pick}
            onBrush={(marks, isDone, isAdding) => isDone && choose(marks, isAdding)}
            onKey={(key) => {
              if (key !== "Escape" || (shown.length === 0 && mark === undefined)) return false;
              pick(undefined, false);
              return true;
            }}
          />
        )}
        <p className="visually-hidden" role="status">
          {mark === undefined ? "" : `Mark ${mark + 1} of ${drawn.marks.rows}: ${words[mark] ?? ""}`}
        </p>
      </div>
      {shown.length > 0 && (
        <div className={styles.chosen}>
          <span>
            {count(shown.length, "mark")} selected
            {behind.data && `, ${count(behind.data.count, "row")} behind ${shown.length === 1 ? "it" : "them"}`}
          </span>
          <button type="button" className="button" disabled={!behind.data} onClick={() => void open()}>
            {behind.data ? `Open ${count(behind.data.count, "row")} as a sheet` : "Open the rows as a sheet"}
          </button>
          <button type="button" className="button" onClick={() => pick(undefined, false)}>
            Clear selection
          </button>
        </div>
      )}
      {showsTable && (
        <Grid
          dataset={drawn.marks}
          label={`Marks of ${drawn.source.name}`}
          selected={mark === undefined ? undefined : { row: mark, column: columnOf(drawn) }}
          onMove={({ row }) => onMark(row)}
          isFitted
        />
      )}
      {showsCode && <CodePane drawn={drawn} spec={spec} />}
      {isNaming && <NameDialog drawn={drawn} spec={spec} suggested={suggested} onClose={() => setNaming(false)} />}
      {isKeeping && (
        <KeepDialog
          title="Add the chart to a notebook"
          choices={[
            {
              label: "a chart",
              cell: {
                kind: "chart",
                values: { source: drawn.source.name, spec, name: suggested },
              },
            },
          ]}
          source={drawn.source.name}
          onClose={() => setKeeping(false)}
        />
      )}
    </div>
  );
}

function columnOf(drawn: DrawnChart): number {
  return Math.max(
    0,
    drawn.marks.columns.findIndex(({ name }) => name === drawn.value),
  );
}
