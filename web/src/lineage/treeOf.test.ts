import { expect, it } from "vitest";
import { cut } from "./graph";
import { treeOf } from "./treeOf";

const edges = ["a b", "b c", "x c", "b d"].map((pair) => {
  const [from = "", to = ""] = pair.split(" ");
  return { from, to };
});
const nodes = [..."abcdx"].map((id) => ({ id, title: id, detail: "", kind: "sql", isDoubtful: false }));
const drawn = cut(nodes, edges, new Set("abcdx"));
const lines = (start: string | undefined, closed: string[] = []) =>
  treeOf(drawn, start, new Set(closed)).map(({ id, level, side }) => `${level}${side ?? ""} ${id}`);

it("shows sources, then results, of the start", () => {
  expect(lines("b")).toEqual(["1 b", "2up a", "2down c", "2down d"]);
});

it("begins with the last results when nothing is chosen", () => {
  expect(lines(undefined)).toEqual(["1up c", "2up b", "3up a", "2up x", "1up d", "2up b", "3up a"]);
});

it("leaves out what is below a closed item", () => {
  const [first] = treeOf(drawn, "b", new Set());
  expect(lines("b", [first?.key ?? ""])).toEqual(["1 b"]);
});
