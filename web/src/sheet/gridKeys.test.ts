// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { commandOf } from "./gridKeys";
import { single } from "./selection";

const extent = { rows: 10_000_000, columns: 40, pageRows: 20 };
const here = single({ row: 5, column: 2 });
const key = (name: string, held = {}) => ({
  key: name,
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...held,
});
const at = (row: number, column: number) => ({ row, column });

it.each([
  ["ArrowDown", {}, { do: "select", selection: single(at(6, 2)) }],
  ["ArrowDown", { shiftKey: true }, { do: "select", selection: { anchor: at(5, 2), cursor: at(6, 2) } }],
  ["ArrowDown", { ctrlKey: true }, { do: "select", selection: single(at(9_999_999, 2)) }],
  [
    "ArrowDown",
    { ctrlKey: true, shiftKey: true },
    { do: "select", selection: { anchor: at(5, 2), cursor: at(9_999_999, 2) } },
  ],
  ["ArrowRight", { metaKey: true }, { do: "select", selection: single(at(5, 39)) }],
  ["End", { ctrlKey: true }, { do: "select", selection: single(at(9_999_999, 39)) }],
  ["Tab", {}, { do: "select", selection: single(at(5, 3)) }],
  ["Tab", { shiftKey: true }, { do: "select", selection: single(at(5, 1)) }],
  ["Enter", {}, { do: "edit", isQuick: false }],
  ["F2", {}, { do: "edit", isQuick: false }],
  ["=", {}, { do: "edit", isQuick: true }],
  ["Delete", {}, { do: "clear" }],
  ["F8", {}, { do: "doubt", direction: "next" }],
  ["F8", { shiftKey: true }, { do: "doubt", direction: "previous" }],
  ["z", { ctrlKey: true }, { do: "undo" }],
  ["Z", { ctrlKey: true, shiftKey: true }, { do: "redo" }],
  ["d", { metaKey: true }, { do: "fill" }],
  ["g", { ctrlKey: true }, { do: "goTo" }],
  ["s", { ctrlKey: true }, { do: "apply" }],
  ["H", { ctrlKey: true, shiftKey: true }, { do: "history" }],
  ["a", { ctrlKey: true }, { do: "select", selection: { anchor: at(9_999_999, 39), cursor: at(0, 0) } }],
  ["ArrowDown", { altKey: true }, { do: "columnMenu" }],
  ["Escape", {}, { do: "leave" }],
])("%s %o", (name, held, command) => {
  expect(commandOf(key(name, held), here, extent)).toEqual(command);
});

it("leaves copying, other people's keys and Tab without a selection alone", () => {
  for (const [name, held] of [
    ["c", { ctrlKey: true }],
    ["v", { metaKey: true }],
    ["k", { ctrlKey: true }],
    ["ArrowLeft", { altKey: true }],
  ] as const)
    expect(commandOf(key(name, held), here, extent)).toBeUndefined();
  expect(commandOf(key("Tab"), undefined, extent)).toBeUndefined();
  expect(commandOf(key("Tab"), single(at(0, 39)), extent)).toBeUndefined();
  expect(commandOf(key("Escape"), undefined, extent)).toBeUndefined();
  expect(commandOf(key("x"), undefined, extent)).toBeUndefined();
});

it("does nothing in an empty sheet", () => {
  expect(commandOf(key("a", { ctrlKey: true }), undefined, { ...extent, rows: 0 })).toBeUndefined();
  expect(commandOf(key("ArrowDown"), undefined, { ...extent, rows: 0 })).toBeUndefined();
});
