import { useEffect, useMemo, useRef, useState } from "react";
import type { Dataset } from "../api/client";
import { useNotebooks, useSeveralNotebooks } from "../api/notebooks";
import { useDatasets } from "../api/queries";
import { isKey } from "../state/keymap";
import { setParams, useParam } from "../state/params";
import { goTo, parsePlace, useSearch } from "../state/place";
import { Notice } from "../ui/Notice";
import { Skeleton } from "../ui/Skeleton";
import { useColumns, useGraph, useReached, useWay } from "./api";
import { Canvas } from "./Canvas";
import { ColumnChoice } from "./ColumnChoice";
import { around, between, cut, type Direction, labelOf, MOST_NEIGHBOURS, neighbours } from "./graph";
import styles from "./LineageView.module.css";
import {
  cellLevel,
  columnId,
  columnLevel,
  datasetLevel,
  LEVELS,
  type Level,
  rowLevel,
  valueLevel,
  type Whole,
} from "./levels";
import { NodePanel } from "./NodePanel";
import { Toolbar } from "./Toolbar";
import { Tree } from "./Tree";

/** Graphs up to this size are drawn as a whole until something is chosen. */
const SMALL = 60;
const LARGEST = 300;

/** Where data came from and where it went, as a graph and as a tree: datasets, notebook cells, rows or values. */
export default function LineageView() {
  const place = parsePlace(useSearch());
  const datasets = useDatasets();
  const graph = useGraph();
  const level = (useParam("level")[0] as Level | undefined) ?? usualLevel(place);
  const [direction = "both"] = useParam("direction") as [Direction | undefined, unknown];
  const depth = Number(useParam("depth")[0] ?? 2);
  const [node] = useParam("node");
  const [isTall, setTall] = useState(false);
  const [second, setSecond] = useState<string>();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const named = datasets.data?.find((each) => each.name === place.dataset);
  // A column is always there to begin with; which row or value is meant has to be said.
  const dataset = named ?? (level === "columns" ? datasets.data?.at(-1) : undefined);
  const column = level === "columns" ? (columnIn(dataset, place.column) ?? dataset?.columns[0]?.name) : place.column;
  const chosen = { dataset, row: place.row };
  const names = useNotebooks().data ?? [];
  const notebooks = useSeveralNotebooks(level === "cells" ? names : []);
  const reached = useReached(chosen, level === "rows");
  const way = useWay(chosen, place.column, level === "values");
  const columns = useColumns(dataset, column, level === "columns");

  const root = startOf(level, dataset, column);
  const start = node ?? root;
  const whole = useMemo<Whole>(() => {
    if (graph.data === undefined) return { nodes: [], edges: [] };
    if (level === "cells") return cellLevel(notebooks);
    if (level === "rows")
      return reached.data && dataset ? rowLevel(graph.data, labelOf(dataset), place.row ?? 0, reached.data) : EMPTY;
    if (level === "values") return way.data ? valueLevel(way.data) : EMPTY;
    if (level === "columns") return columns.data ? columnLevel(columns.data, root ?? "") : EMPTY;
    return datasetLevel(graph.data);
  }, [graph.data, level, notebooks, reached.data, way.data, columns.data, root, dataset, place.row]);

  const isWhole = level === "values" || level === "rows" || (place.dataset === undefined && node === undefined);
  const drawn = useMemo(() => {
    const ids = whole.nodes.map((each) => each.id);
    const centre = start !== undefined && ids.includes(start) ? start : ids.at(-1);
    if (centre === undefined) return cut([], [], new Set());
    const isSmall = ids.length <= SMALL;
    const kept =
      isWhole && isSmall
        ? new Set(ids)
        : level === "columns"
          ? around(root ?? centre, whole.edges, direction, isSmall ? Number.POSITIVE_INFINITY : depth)
          : around(centre, whole.edges, direction, depth, MOST_NEIGHBOURS);
    for (const key of opened) {
      const side = key.startsWith("up ") ? ("up" as const) : ("down" as const);
      const id = key.slice(side.length + 1);
      if (kept.has(id)) for (const each of neighbours(id, whole.edges, side)) kept.add(each);
    }
    return cut(whole.nodes, whole.edges, new Set([...kept].slice(0, LARGEST)));
  }, [whole, start, root, level, isWhole, direction, depth, opened]);

  const lit = useMemo(() => {
    if (start === undefined || !drawn.nodes.some((each) => each.id === start)) return undefined;
    if (second !== undefined) return between(start, second, whole.edges);
    return around(start, whole.edges, "both", Number.POSITIVE_INFINITY);
  }, [start, second, drawn, whole]);

  const select = (id: string, isSecond = false) => {
    setSecond(isSecond && id !== start ? id : undefined);
    if (!isSecond) setParams({ node: id }, true);
  };
  const expand = (id: string, side: "up" | "down") => setOpened(new Set([...opened, `${side} ${id}`]));
  const fold = (id: string) => setOpened(new Set([...opened].filter((key) => !key.endsWith(` ${id}`))));
  const open = (id: string) => openNode(id, level, datasets.data ?? []);
  const search = useRef<HTMLInputElement>(null);
  useSlash(search);

  const failed: Partial<Record<Level, Error | null>> = {
    rows: reached.error,
    values: way.error,
    columns: columns.error,
  };
  const error = graph.error ?? failed[level];
  const isWaiting = graph.isPending || reached.isFetching || way.isFetching || columns.isFetching;
  const missing = missingFor(level, place);
  return (
    <div className={styles.view}>
      <Toolbar
        level={level}
        levels={LEVELS}
        direction={direction}
        depth={depth}
        isTall={isTall}
        nodes={whole.nodes}
        search={search}
        onTall={() => setTall(!isTall)}
        onFind={(id) => select(id)}
      >
        {level === "columns" && dataset && (
          <ColumnChoice datasets={datasets.data ?? []} dataset={dataset} column={column ?? ""} />
        )}
      </Toolbar>
      {error ? (
        <Notice title={error.message} isError action={{ label: "Retry", run: () => void graph.refetch() }} />
      ) : missing ? (
        <Notice title={missing}>Open a dataset, select a cell, and choose “Explore lineage” in the inspector.</Notice>
      ) : drawn.nodes.length === 0 ? (
        isWaiting ? (
          <Skeleton label="Following lineage" lines={6} />
        ) : (
          <Notice title="Run a cell to see where data goes.">
            There is nothing here yet that was made from anything.
          </Notice>
        )
      ) : (
        <div className={styles.columns}>
          <Tree drawn={drawn} start={start} onSelect={select} onOpen={open} />
          <Canvas
            name={`lineage ${(root ?? level).replace("\n", " ")}`}
            drawn={drawn}
            selected={start}
            second={second}
            lit={lit}
            isTall={isTall}
            onSelect={select}
            onOpen={open}
            onExpand={expand}
            onFold={fold}
          />
          <NodePanel
            id={start}
            level={level}
            graph={graph.data}
            datasets={datasets.data ?? []}
            dataset={dataset}
            row={place.row}
            way={way.data}
            columns={columns.data}
            onSelect={select}
            onOpen={open}
          />
        </div>
      )}
    </div>
  );
}

const EMPTY: Whole = { nodes: [], edges: [] };

/** A cell is best understood by its values, a row by rows, all else by datasets. */
function usualLevel({ row, column }: { row?: number; column?: string }): Level {
  if (row === undefined) return "datasets";
  return column === undefined ? "rows" : "values";
}

/** The node the address speaks of. */
function startOf(level: Level, dataset: Dataset | undefined, column: string | undefined): string | undefined {
  if (dataset === undefined || level === "cells") return undefined;
  return level === "values" || level === "columns" ? columnId({ ...dataset, column: column ?? "" }) : labelOf(dataset);
}

function columnIn(dataset: Dataset | undefined, column: string | undefined): string | undefined {
  return dataset?.columns.find(({ name }) => name === column)?.name;
}

/** What has to be chosen before a level has anything to show. */
function missingFor(level: Level, place: { row?: number; column?: string }): string | undefined {
  if (level === "rows" && place.row === undefined) return "Rows are followed from a row: select one first.";
  if (level === "values" && (place.row === undefined || place.column === undefined))
    return "Values are followed from a cell: select one first.";
  return undefined;
}

/** Show what a node stands for in its own view. */
function openNode(id: string, level: Level, datasets: Dataset[]): void {
  const label = id.split("\n")[0] ?? id;
  if (level === "cells") goTo({ notebook: id.slice(0, id.lastIndexOf("/")) });
  else if (datasets.some((each) => labelOf(each) === label)) goTo({ dataset: label.slice(0, label.lastIndexOf("@")) });
}

/** A slash goes to the search, unless something is being written. */
function useSlash(search: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target;
      if (!isKey(event, "findNode")) return;
      if (target instanceof HTMLElement && target.matches("input, textarea, select, [data-editor]")) return;
      event.preventDefault();
      search.current?.focus();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [search]);
}
