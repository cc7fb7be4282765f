import type { Schemas } from "../api/client";

export type Graph = Schemas["Graph"];
export type Direction = "up" | "both" | "down";

/** One box of the drawing. */
export type Node = {
  id: string;
  title: string;
  /** A line below the title, such as the number of rows. */
  detail: string;
  kind: string;
  isDoubtful: boolean;
  /** Neighbours that are not drawn, in each direction. */
  hidden: { up: number; down: number };
};

export type Edge = {
  from: string;
  to: string;
  /** It only decided which rows there are. */
  isDeciding?: boolean;
};
export type Drawn = { nodes: Node[]; edges: Edge[] };

export const labelOf = ({ name, version }: Schemas["DatasetVersion"]): string => `${name}@${version}`;

/** Every pair of datasets of which one was made from the other. */
export function edgesOf(graph: Graph): Edge[] {
  const found = graph.edges.map(({ source, target }) => ({ from: labelOf(source), to: labelOf(target) }));
  return [...new Map(found.map((edge) => [`${edge.from}\n${edge.to}`, edge])).values()];
}

/** Everything a dataset was made from, nearest first. */
export function ancestorsOf(label: string, graph: Graph): string[] {
  return [...around(label, edgesOf(graph), "up", Number.POSITIVE_INFINITY)].slice(1);
}

/** More neighbours of one node than this are folded away until somebody asks for them. */
export const MOST_NEIGHBOURS = 8;

/** What can be reached from a node along so many edges, the node itself included; wide fans are cut to `most`. */
export function around(
  start: string,
  edges: Edge[],
  direction: Direction,
  depth: number,
  most = Number.POSITIVE_INFINITY,
): Set<string> {
  const found = new Set([start]);
  for (const side of direction === "both" ? (["up", "down"] as const) : [direction]) {
    let level = new Set([start]);
    for (let step = 0; step < depth && level.size > 0; step++) {
      const next = new Set([...level].flatMap((id) => neighbours(id, edges, side).slice(0, most)));
      level = new Set([...next].filter((each) => !found.has(each)));
      for (const each of level) found.add(each);
    }
  }
  return found;
}

/** The nodes one edge away. */
export function neighbours(id: string, edges: Edge[], side: "up" | "down"): string[] {
  const [here, there] = side === "up" ? (["to", "from"] as const) : (["from", "to"] as const);
  return edges.filter((edge) => edge[here] === id).map((edge) => edge[there]);
}

/** The nodes between two others: every way from one to the other, whichever came first. */
export function between(one: string, other: string, edges: Edge[]): Set<string> {
  const all = (start: string, direction: Direction) => around(start, edges, direction, Number.POSITIVE_INFINITY);
  const [down, up] = [all(one, "down"), all(one, "up")];
  if (down.has(other)) return intersection(down, all(other, "up"));
  return up.has(other) ? intersection(up, all(other, "down")) : new Set([one, other]);
}

function intersection(a: Set<string>, b: Set<string>): Set<string> {
  return new Set([...a].filter((each) => b.has(each)));
}

/** The part of a graph that is drawn; each node knows how many neighbours are left out. */
export function cut(nodes: Omit<Node, "hidden">[], edges: Edge[], kept: Set<string>): Drawn {
  const hidden = (id: string, here: "from" | "to", there: "from" | "to") =>
    edges.filter((edge) => edge[here] === id && !kept.has(edge[there])).length;
  return {
    nodes: nodes
      .filter((node) => kept.has(node.id))
      .map((node) => ({
        ...node,
        hidden: { up: hidden(node.id, "to", "from"), down: hidden(node.id, "from", "to") },
      })),
    edges: edges.filter((edge) => kept.has(edge.from) && kept.has(edge.to)),
  };
}
