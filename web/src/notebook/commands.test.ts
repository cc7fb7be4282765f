// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { commandFor } from "./commands";

const key = (name: string, held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> = {}) =>
  commandFor({ key: name, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

it("tells the ways to run a cell apart", () => {
  expect([
    key("Enter", { ctrlKey: true }),
    key("Enter", { metaKey: true }),
    key("Enter", { shiftKey: true }),
    key("Enter", { altKey: true }),
    key("Enter", { ctrlKey: true, altKey: true }),
    key("Enter"),
  ]).toEqual(["run", "run", "runAndGoOn", "runAndInsert", "runUpstream", "edit"]);
});

it("leaves keys with a modifier to the browser unless they are ours", () => {
  expect([key("c", { ctrlKey: true }), key("a", { metaKey: true }), key("ArrowUp", { altKey: true })]).toEqual([
    undefined,
    undefined,
    "moveUp",
  ]);
});

it("knows the letters of command mode", () => {
  expect([..."abxcvzmy"].map((letter) => key(letter))).toEqual([
    "insertAbove",
    "insertBelow",
    "cut",
    "copy",
    "paste",
    "undo",
    "toMarkdown",
    "toSql",
  ]);
  expect(key("q")).toBeUndefined();
});
