import { describe, expect, it } from "vitest";
import type { NotebookCell } from "../api/notebooks";
import { isTour, type Looks, nextStep, STEPS } from "./steps";

const nothing: Looks = { place: {}, isComparing: false, cells: [], hasAnswer: false, hasAccepted: false };
const cell = (kind: string, status: string, ...names: string[]) =>
  ({ kind, status, datasets: names.map((name) => ({ name })) }) as NotebookCell;

describe("the steps of the tour", () => {
  it("are all open on a page that shows nothing of them", () => {
    expect(STEPS.filter((step) => step.isDone(nothing))).toEqual([]);
  });

  it.each([
    ["trace", { place: { notebook: "tour", dataset: "by_supplier", row: 3, column: "average_price" } }],
    ["fix", { cells: [cell("sheet", "ready", "prices")] }],
    ["explain", { hasAnswer: true }],
    ["compare", { isComparing: true }],
    ["accept", { hasAccepted: true }],
  ])("%s is done by what it asks for, and by nothing else", (id, shown) => {
    const looks = { ...nothing, ...shown };
    expect(STEPS.filter((step) => step.isDone(looks)).map((step) => step.id)).toEqual([id]);
  });

  it("wait for an edit until its cell has run", () => {
    const looks = { ...nothing, cells: [cell("sheet", "running", "prices")] };
    expect(STEPS.filter((step) => step.isDone(looks))).toEqual([]);
  });

  it("come in order, and those done early are not asked for again", () => {
    expect(nextStep([])?.id).toBe("trace");
    expect(nextStep(["trace", "explain"])?.id).toBe("fix");
    expect(nextStep(STEPS.map((step) => step.id))).toBeUndefined();
  });
});

describe("the notebook of the tour", () => {
  it("is known by what it makes, not by its name alone", () => {
    expect(isTour([cell("sql", "ready", "by_supplier"), cell("chart", "ready", "temperature_by_hour")])).toBe(true);
    expect(isTour([cell("sql", "ready", "by_supplier")])).toBe(false);
  });
});
