import { expect, it } from "vitest";
import { around, between, cut, edgesOf } from "./graph";

const edges = ["a b", "b c", "c d", "b e", "x c"].map((pair) => {
  const [from = "", to = ""] = pair.split(" ");
  return { from, to };
});

const sorted = (set: Set<string>) => [...set].sort().join("");

it("goes so many steps in a direction", () => {
  expect(sorted(around("c", edges, "up", 1))).toBe("bcx");
  expect(sorted(around("c", edges, "up", 9))).toBe("abcx");
  expect(sorted(around("b", edges, "down", 1))).toBe("bce");
  expect(sorted(around("b", edges, "both", 1))).toBe("abce");
});

it("does not turn round: a sibling is neither source nor result", () => {
  expect(sorted(around("e", edges, "both", 9))).toBe("abe");
});

it("folds wide fans", () => {
  const fan = Array.from({ length: 20 }, (_, i) => ({ from: `s${i}`, to: "t" }));
  expect(around("t", fan, "up", 3, 8).size).toBe(9);
});

it("finds every way between two nodes, whichever came first", () => {
  expect(sorted(between("a", "d", edges))).toBe("abcd");
  expect(sorted(between("d", "a", edges))).toBe("abcd");
  expect(sorted(between("x", "e", edges))).toBe("ex");
});

it("says how many neighbours of a node are not drawn", () => {
  const nodes = [..."abcdex"].map((id) => ({ id, title: id, detail: "", kind: "sql", isDoubtful: false }));
  const drawn = cut(nodes, edges, new Set(["b", "c"]));
  expect(drawn.edges).toEqual([{ from: "b", to: "c" }]);
  expect(drawn.nodes.map(({ id, hidden }) => [id, hidden.up, hidden.down])).toEqual([
    ["b", 1, 1],
    ["c", 1, 1],
  ]);
});

it("draws an edge once, however often a dataset was read", () => {
  const [source, target] = [
    { name: "a", version: 1 },
    { name: "b", version: 2 },
  ];
  expect(
    edgesOf({
      nodes: [],
      edges: [
        { source, target },
        { source, target },
      ],
    }),
  ).toEqual([{ from: "a@1", to: "b@2" }]);
});
