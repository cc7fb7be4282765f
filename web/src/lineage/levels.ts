import type { Schemas } from "../api/client";
import type { Notebook } from "../api/notebooks";
import { dependenciesOf } from "../notebook/dependencies";
import { titleOf } from "../notebook/title";
import { rowWords } from "../text/cellName";
import { show } from "../text/value";
import { count, number, ROLE_WORDS } from "../text/words";
import { type Edge, edgesOf, type Graph, labelOf, type Node } from "./graph";

export type Level = "datasets" | "cells" | "columns" | "rows" | "values";
export const LEVELS: Level[] = ["datasets", "cells", "columns", "rows", "values"];

type Bare = Omit<Node, "hidden">;
export type Whole = { nodes: Bare[]; edges: Edge[] };

/** What was made from what. */
export function datasetLevel(graph: Graph): Whole {
  const nodes = graph.nodes.map((node) => ({
    id: labelOf(node),
    title: node.name,
    detail: `${count(node.rows, "row")}${node.exact ? "" : " · coarse"}`,
    kind: node.origin,
    isDoubtful: node.is_doubtful,
  }));
  return { nodes, edges: edgesOf(graph) };
}

/** The same, only where rows lie behind one row or came of it, with how many; and where it might have got to and did not. */
export function rowLevel(graph: Graph, start: string, row: number, reached: Schemas["Reached"]): Whole {
  const counts = new Map(reached.datasets.map((each) => [labelOf(each), each]));
  const whole = datasetLevel(graph);
  const nodes = whole.nodes.flatMap((node) => {
    if (node.id === start) return [{ ...node, detail: rowWords(row) }];
    const found = counts.get(node.id);
    if (found === undefined || (found.count === 0 && found.direction === "backward")) return [];
    const detail = found.count === 0 ? "not in it" : `${number(found.count)} of ${count(found.all_rows, "row")}`;
    return [{ ...node, detail }];
  });
  return { nodes, edges: within(whole.edges, nodes) };
}

/** The cells of notebooks and what they hand on. */
export function cellLevel(notebooks: Notebook[]): Whole {
  const nodes = notebooks.flatMap(({ name, cells }) =>
    cells
      .filter((cell) => cell.kind !== "markdown")
      .map((cell) => ({
        id: `${name}/${cell.id}`,
        title: titleOf(cell),
        detail: `${cell.kind} · ${cell.status}`,
        kind: cell.kind,
        isDoubtful: cell.datasets.some((dataset) => dataset.is_doubtful),
      })),
  );
  const edges = notebooks.flatMap(({ name, cells }) =>
    dependenciesOf(cells).map(({ from, to }) => ({ from: `${name}/${from}`, to: `${name}/${to}` })),
  );
  return { nodes, edges: within(unique(edges), nodes) };
}

type Column = Schemas["ColumnPlace"];

export const columnId = (column: Column): string => `${labelOf(column)}\n${column.column}`;

/** Parts that say which rows there are, not what stands in them. */
const DECIDING: string[] = ["grouped", "joined", "filtered"];

/** The columns one column was made of, and those it went into; what only decided about rows is told apart. */
export function columnLevel(graph: Schemas["ColumnGraph"], start: string): Whole {
  const roles = new Map<string, Set<string>>();
  for (const { source, role } of graph.edges)
    roles.set(columnId(source), new Set([...(roles.get(columnId(source)) ?? []), role]));
  const nodes = graph.nodes.map((node) => ({
    id: columnId(node),
    title: `${node.name} · ${node.column}`,
    detail: [node.type, ...(columnId(node) === start ? [] : (roles.get(columnId(node)) ?? []))].join(" · "),
    kind: columnId(node) === start ? "start" : "value",
    isDoubtful: node.is_doubtful,
  }));
  const edges = graph.edges.map(({ source, target, role }) => ({
    from: columnId(source),
    to: columnId(target),
    isDeciding: DECIDING.includes(role),
  }));
  // A column that gave its value and decided, too, is drawn as one that gave its value.
  return { nodes, edges: unique(edges.sort((a, b) => Number(b.isDeciding) - Number(a.isDeciding))) };
}

const SHOWN_VALUES = 3;

/** The values behind one value, column by column, back to what was loaded. */
export function valueLevel(way: Schemas["WayCell"]): Whole {
  const nodes = new Map<string, Bare>();
  const edges: Edge[] = [];
  const visit = (cells: Schemas["WayCell"][], total: number, role: string) => {
    const [first] = cells;
    if (first === undefined) return "";
    const id = `${labelOf({ name: first.dataset, version: first.version })}\n${first.column}`;
    const known = nodes.get(id);
    const values = cells.slice(0, SHOWN_VALUES).map((cell) => show(cell.value).text);
    nodes.set(id, {
      id,
      title: `${first.dataset} · ${first.column}`,
      detail:
        known?.detail ?? `${role}${values.join(", ")}${total > values.length ? ` … ${number(total)} in all` : ""}`,
      kind: role === "" ? "start" : "value",
      isDoubtful: (known?.isDoubtful ?? false) || cells.some((cell) => cell.is_doubtful),
    });
    for (const cell of cells)
      for (const step of cell.inputs) {
        const from = visit(step.cells, step.count, `${ROLE_WORDS[step.role].verb.split(" ")[0]?.toLowerCase()}: `);
        if (from !== "") edges.push({ from, to: id });
      }
    return id;
  };
  visit([way], 1, "");
  return { nodes: [...nodes.values()], edges: unique(edges) };
}

function within(edges: Edge[], nodes: Bare[]): Edge[] {
  const known = new Set(nodes.map((node) => node.id));
  return edges.filter(({ from, to }) => known.has(from) && known.has(to));
}

function unique(edges: Edge[]): Edge[] {
  return [...new Map(edges.map((edge) => [`${edge.from}\r${edge.to}`, edge])).values()];
}
