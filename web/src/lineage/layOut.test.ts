import { expect, it } from "vitest";
import { cut } from "./graph";
import { HEIGHT, layOut, WIDTH } from "./layOut";

const node = (id: string) => ({ id, title: id, detail: "", kind: "sql", isDoubtful: false });
const edges = [
  { from: "a", to: "b" },
  { from: "b", to: "c" },
  { from: "a", to: "c" },
  { from: "x", to: "c" },
];
const drawn = cut([..."abcx"].map(node), edges, new Set("abcx"));

it("puts sources to the left of what was made from them, and no box upon another", () => {
  const { nodes } = layOut(drawn);
  const at = Object.fromEntries(nodes.map(({ node, x, y }) => [node.id, { x, y }]));
  for (const { from, to } of edges) expect(at[from]?.x).toBeLessThan(at[to]?.x ?? 0);
  for (const one of nodes)
    for (const other of nodes)
      if (one !== other) expect(Math.abs(one.x - other.x) >= WIDTH || Math.abs(one.y - other.y) >= HEIGHT).toBe(true);
});

it("puts them above when it is drawn from top to bottom", () => {
  const { nodes, edges: routes } = layOut(drawn, true);
  const at = Object.fromEntries(nodes.map(({ node, y }) => [node.id, y]));
  for (const { from, to } of edges) expect(at[from]).toBeLessThan(at[to] ?? 0);
  expect(routes.every(({ path }) => path.startsWith("M"))).toBe(true);
});
