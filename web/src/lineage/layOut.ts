import { Graph, layout } from "@dagrejs/dagre";
import type { Drawn, Edge, Node } from "./graph";

export const WIDTH = 200;
export const HEIGHT = 58;

type Point = { x: number; y: number };
export type Placed = { node: Node; x: number; y: number };
export type Route = { edge: Edge; path: string };
export type Layout = { nodes: Placed[]; edges: Route[]; width: number; height: number };

/** Puts the boxes of a graph into columns, from what was loaded on the left to what came of it on the right. */
export function layOut({ nodes, edges }: Drawn, isTall = false): Layout {
  const graph = new Graph().setGraph({
    rankdir: isTall ? "TB" : "LR",
    nodesep: 26,
    ranksep: 70,
    marginx: 24,
    marginy: 24,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) graph.setNode(node.id, { width: WIDTH, height: HEIGHT });
  for (const { from, to } of edges) graph.setEdge(from, to);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    nodes: nodes.map((node) => {
      const { x, y } = graph.node(node.id) as { x: number; y: number };
      return { node, x: x - WIDTH / 2, y: y - HEIGHT / 2 };
    }),
    edges: edges.map((edge) => {
      const { points } = graph.edge(edge.from, edge.to) as { points: Point[] };
      const [from, to] = [graph.node(edge.from) as Point, graph.node(edge.to) as Point];
      const [out, into] = isTall
        ? [
            { x: from.x, y: from.y + HEIGHT / 2 },
            { x: to.x, y: to.y - HEIGHT / 2 },
          ]
        : [
            { x: from.x + WIDTH / 2, y: from.y },
            { x: to.x - WIDTH / 2, y: to.y },
          ];
      return { edge, path: curve([out, ...points.slice(1, -1), into], isTall) };
    }),
    width,
    height,
  };
}

/** A smooth line through points that leaves and enters the boxes straight. */
function curve(points: Point[], isTall: boolean): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  let path = `M${first.x} ${first.y}`;
  let at = first;
  for (const to of rest) {
    const [dx, dy] = isTall ? [0, (to.y - at.y) / 2] : [(to.x - at.x) / 2, 0];
    path += `C${at.x + dx} ${at.y + dy} ${to.x - dx} ${to.y - dy} ${to.x} ${to.y}`;
    at = to;
  }
  return path;
}
