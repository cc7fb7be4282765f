import { expect, it } from "vitest";
import { beside, type Group, reaching, sections, total } from "./sections";

function group(id: string, family: string, column: string | null, source: string, count: number, acknowledged = false) {
  return {
    id,
    acknowledged,
    note: "",
    raised_in: { name: source, version: 1 },
    caveats: { message: id, count, family, made_by: `load ${source}@1`, column, references: [] },
    reaches: [],
  } satisfies Group;
}

const groups = [
  group("a", "misfit", "price", "prices", 2),
  group("b", "misfit", "stock", "prices", 5),
  group("c", "outlier", "price", "sales", 30),
  group("d", "user", null, "sales", 1, true),
];

it.each([
  ["family", ["Outlier", "Misfit"]],
  ["column", ["price", "stock"]],
  ["source", ["sales", "prices"]],
] as const)("puts groups together by %s, the most doubtful first", (by, titles) => {
  expect(sections(groups, by, "open").map((each) => each.title)).toEqual(titles);
});

it("shows open ones, acknowledged ones or all", () => {
  const ids = (shown: "open" | "acknowledged" | "all") =>
    sections(groups, "source", shown).flatMap((each) => each.groups.map(({ id }) => id));
  expect(ids("open")).toEqual(["c", "b", "a"]);
  expect(ids("acknowledged")).toEqual(["d"]);
  expect(ids("all")).toEqual(["c", "d", "b", "a"]);
});

it("counts caveats, not groups", () => {
  expect(total(groups)).toBe(38);
  expect(sections(groups, "family", "open")[1]?.count).toBe(7);
});

it("moves from group to group and stops at the ends", () => {
  const list = sections(groups, "family", "open");
  expect([beside(list, undefined, 1)?.id, beside(list, "c", 1)?.id, beside(list, "a", 1)?.id]).toEqual(["c", "b", "a"]);
  expect([beside(list, "c", -1)?.id, beside(list, "b", -1)?.id]).toEqual(["c", "c"]);
  expect(beside([], undefined, 1)).toBeUndefined();
});

it("keeps the groups that reach a dataset, wherever they were raised", () => {
  const reached = { ...group("e", "misfit", "x", "orders", 1), reaches: [{ name: "sales", version: 2 }] };
  const ids = (dataset: string | undefined) => reaching([...groups, reached], dataset).map(({ id }) => id);
  expect(ids("sales")).toEqual(["c", "d", "e"]);
  expect(ids("orders")).toEqual(["e"]);
  expect(ids(undefined)).toHaveLength(5);
});
