// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { chordFor, chordOf, commandIn, isKey, isRebound, isTypable, keyNames, keysFor, rebind, reset } from "./keymap";

const press = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

beforeEach(() => void reset());

it.each([
  [press("k", { ctrlKey: true }), "Ctrl+K"],
  [press("K", { metaKey: true }), "Ctrl+K"],
  [press("R", { ctrlKey: true, shiftKey: true }), "Ctrl+Shift+R"],
  [press("?", { shiftKey: true }), "?"],
  [press("Enter", { ctrlKey: true, altKey: true }), "Ctrl+Alt+Enter"],
  [press("+", { ctrlKey: true }), "Ctrl++"],
  [press(" "), "Space"],
  [press("Shift", { shiftKey: true }), undefined],
])("reads %o as %s", (event, chord) => {
  expect(chordOf(event)).toBe(chord);
});

it("writes keys as people know them", () => {
  expect([keyNames("Alt+ArrowUp"), keyNames("Ctrl++"), keyNames("?"), keyNames("+")]).toEqual([
    ["Alt", "↑"],
    ["Ctrl", "+"],
    ["?"],
    ["+"],
  ]);
});

it("gives a command other keys, keeps them, and gives them back", () => {
  expect(rebind("search", "Ctrl+Shift+P")).toBeUndefined();
  expect([keysFor("search"), isRebound("search")]).toEqual(["Ctrl Shift P", true]);
  expect(isKey(press("P", { ctrlKey: true, shiftKey: true }), "search")).toBe(true);
  expect(isKey(press("k", { ctrlKey: true }), "search")).toBe(false);
  expect(JSON.parse(window.localStorage.getItem("whence.keys") ?? "")).toEqual({ search: "Ctrl+Shift+P" });
  expect(reset("search")).toBeUndefined();
  expect([chordFor("search"), isRebound("search")]).toEqual(["Ctrl+K", false]);
});

it("says what stands in the way and changes nothing", () => {
  expect(rebind("freeze", "X")).toBe("X is taken: Cut the cell (Notebook).");
  expect(rebind("freeze", "Ctrl+K")).toBe("Ctrl K is taken: Go anywhere, do anything (Everywhere).");
  expect(rebind("search", "E")).toBe("E is taken: Acknowledge (Caveats).");
  expect(rebind("fill", "F8")).toMatch(/^F8 is taken/);
  expect(rebind("freeze", "Escape")).toMatch(/^Esc always means the same/);
  expect(rebind("fill", "D")).toBe("In a sheet D begins to write.");
  expect([chordFor("freeze"), chordFor("search")]).toEqual(["F", "Ctrl+K"]);
  // Keys of parts that are never on the page together do not meet.
  expect(rebind("freeze", "E")).toBeUndefined();
  rebind("cut", "F");
  expect(reset("freeze")).toBe("F is taken: Cut the cell (Notebook).");
});

it("finds the command of a key, and knows which keys write", () => {
  expect(commandIn(press("x"), ["cut", "copy"])).toBe("cut");
  expect(commandIn(press("x", { ctrlKey: true }), ["cut", "copy"])).toBeUndefined();
  expect(["X", "Shift+X", "?", "Space", "Ctrl+X", "Alt+X", "F8", "Shift+Enter"].map(isTypable)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
