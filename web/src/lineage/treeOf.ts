import { type Drawn, type Node, neighbours } from "./graph";

export type Item = {
  /** The way by which the item was reached; a node may stand in several places of the tree. */
  key: string;
  id: string;
  node: Node;
  level: number;
  side: "up" | "down" | undefined;
  /** undefined if nothing is below it. */
  isOpen: boolean | undefined;
};

/** A graph as the lines of a tree that can be seen; without a start, from what nothing was made from. */
export function treeOf(drawn: Drawn, start: string | undefined, closed: ReadonlySet<string>): Item[] {
  const nodes = new Map(drawn.nodes.map((node) => [node.id, node]));
  const items: Item[] = [];
  const visit = (id: string, level: number, side: Item["side"], way: string[]) => {
    const node = nodes.get(id);
    if (node === undefined || way.includes(id)) return;
    const key = [...way, side ?? "", id].join(" > ");
    const sides = side === undefined ? (["up", "down"] as const) : ([side] as const);
    const below = sides.flatMap((each) => neighbours(id, drawn.edges, each).map((next) => [next, each] as const));
    const isOpen = below.length === 0 ? undefined : !closed.has(key);
    items.push({ key, id, node, level, side, isOpen });
    if (isOpen) for (const [next, each] of below) visit(next, level + 1, each, [...way, id]);
  };
  if (start !== undefined && nodes.has(start)) visit(start, 1, undefined, []);
  else for (const { id } of drawn.nodes) if (neighbours(id, drawn.edges, "down").length === 0) visit(id, 1, "up", []);
  return items;
}
