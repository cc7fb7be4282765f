// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, test } from "vitest";
import { baseVersion, keepUnsaved, leaveUnsaved, readUnsaved, withoutSaved, withTyped } from "./unsaved";

const at = (version: number, branch = "main") => ({ version, branch });

test("what was typed after it was sent stays, and is compared with the version that was made", () => {
  const unsaved = { texts: { source: "select 12", name: "a" }, base: at(3) };
  expect(withoutSaved(unsaved, { source: "select 1", name: "a" }, at(4))).toEqual({
    texts: { source: "select 12" },
    base: at(4),
  });
  expect(withoutSaved(unsaved, unsaved.texts, at(4))).toEqual({ texts: {} });
});

describe("the version a text is compared with", () => {
  const begun = withTyped({ texts: {} }, "source", "s", at(3));

  it("is the one in which typing began, however many came since", () => {
    expect(baseVersion(withTyped(begun, "source", "se", at(5)), at(7))).toBe(3);
  });

  it("is the newest on another branch, and never one that is not there", () => {
    expect(baseVersion(begun, at(7, "try"))).toBe(7);
    expect(baseVersion(begun, at(2))).toBe(2);
  });
});

describe("what was typed", () => {
  const typed = { texts: { source: "select 1" }, base: at(3) };
  const openAnotherTab = () => window.sessionStorage.clear();

  beforeEach(() => {
    window.localStorage.clear();
    window.sessionStorage.clear();
  });

  it("is there after a reload", () => {
    keepUnsaved("n", "c1", typed);
    leaveUnsaved();
    expect(readUnsaved("n", "c1")).toEqual(typed);
  });

  it("is not shown in another tab while the first is open", () => {
    keepUnsaved("n", "c1", typed);
    openAnotherTab();
    expect(readUnsaved("n", "c1")).toEqual({ texts: {} });
  });

  it("goes to the next tab when its own is closed, and to one only", () => {
    keepUnsaved("n", "c1", typed);
    leaveUnsaved();
    openAnotherTab();
    expect(readUnsaved("n", "c1")).toEqual(typed);
    openAnotherTab();
    expect(readUnsaved("n", "c1")).toEqual({ texts: {} });
  });
});
