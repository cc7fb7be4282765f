import { expect, it } from "vitest";
import { move } from "./moves";

const extent = { rows: 100, columns: 4, pageRows: 20 };
const key = (name: string, held = {}) => ({ key: name, ctrlKey: false, metaKey: false, ...held });

it.each([
  ["ArrowDown", {}, { row: 51, column: 2 }],
  ["ArrowUp", {}, { row: 49, column: 2 }],
  ["ArrowLeft", {}, { row: 50, column: 1 }],
  ["ArrowRight", {}, { row: 50, column: 3 }],
  ["PageDown", {}, { row: 70, column: 2 }],
  ["Home", {}, { row: 50, column: 0 }],
  ["End", { ctrlKey: true }, { row: 99, column: 3 }],
  ["Home", { metaKey: true }, { row: 0, column: 0 }],
  ["ArrowDown", { ctrlKey: true }, { row: 99, column: 2 }],
])("%s %o moves the selection", (name, held, expected) => {
  expect(move({ row: 50, column: 2 }, key(name, held), extent)).toEqual(expected);
});

it("stops at the edges", () => {
  expect(move({ row: 0, column: 0 }, key("ArrowUp"), extent)).toEqual({ row: 0, column: 0 });
  expect(move({ row: 99, column: 3 }, key("PageDown"), extent)).toEqual({ row: 99, column: 3 });
});

it("starts at the first cell", () => {
  expect(move(undefined, key("ArrowDown"), extent)).toEqual({ row: 0, column: 0 });
});

it("leaves other keys and empty tables alone", () => {
  expect(move({ row: 1, column: 1 }, key("a"), extent)).toBeUndefined();
  expect(move(undefined, key("ArrowDown"), { ...extent, rows: 0 })).toBeUndefined();
});
