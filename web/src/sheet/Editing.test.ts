import { expect, it } from "vitest";
import { beginsTyping, finishing } from "./Editing";

const key = (name: string, held = {}) => ({
  key: name,
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...held,
});

it.each(["a", "=", "é", "本", "😀", " ", "Process", "Dead"])("%j begins to type", (name) => {
  expect(beginsTyping(key(name))).toBe(true);
});

it("takes AltGr for typing, and commands not", () => {
  expect(beginsTyping(key("@", { ctrlKey: true, altKey: true }))).toBe(true);
  for (const held of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) {
    expect(beginsTyping(key("d", held))).toBe(false);
  }
  for (const name of ["ArrowDown", "Shift", "F8", "Enter", "Delete"]) expect(beginsTyping(key(name))).toBe(false);
});

it("leaves arrow keys to the caret, unless the edit began by typing", () => {
  expect(finishing(key("ArrowLeft"), false)).toBeUndefined();
  expect(finishing(key("ArrowLeft"), true)).toBe("left");
  expect(finishing(key("Enter"), false)).toBe("down");
  expect(finishing(key("Enter", { shiftKey: true }), true)).toBe("up");
  expect(finishing(key("Tab", { shiftKey: true }), false)).toBe("left");
  expect(finishing(key("Escape"), true)).toBe("cancel");
  expect(finishing(key("Enter", { ctrlKey: true }), false)).toBeUndefined();
});
