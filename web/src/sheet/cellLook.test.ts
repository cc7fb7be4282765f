// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { lookOf, ownDoubt } from "./cellLook";
import type { SheetRow } from "./SheetRow";
import { SheetSession } from "./SheetSession";

const column = { name: "price", type: "double", base: "price", base_type: "double" };
const sheet = { id: "s", dataset: "prices", version: 1, columns: ["price"], count: 3, operations: 0, undone: 0 };
const row: SheetRow = {
  values: [2.5],
  marks: [0],
  edited: [],
  isDoubtful: false,
  rid: 0,
  line: null,
  key: "k",
  position: 0,
  errors: new Map(),
  formulas: new Map(),
  revision: 0,
};

function answering(answer: () => Response): SheetSession {
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => answer()),
  );
  return new SheetSession({ ...sheet, sentence: null, lost: [] });
}

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

beforeEach(() => window.localStorage.clear());

it("shows what was typed at once, and until rows that know it have come", async () => {
  const session = answering(() => json({ ...sheet, operations: 1, sentence: "Set a cell of price.", lost: [] }));
  expect(lookOf(session, row, column, 0)).toMatchObject({ text: "2.5", isDoubtful: true, isPending: false });
  session.edit([{ key: "k", column: "price", text: "7" }]);
  expect(lookOf(session, row, column, 0)).toMatchObject({ text: "7", source: "7", isPending: true, isDoubtful: false });
  expect(session.pending).toBe(1);
  await vi.waitFor(() => expect(session.sheet.operations).toBe(1));
  expect(lookOf(session, row, column, 0)).toMatchObject({ text: "7", isPending: true });
  const fresh = { ...row, values: [7], marks: [], edited: [0], revision: session.revision };
  expect(lookOf(session, fresh, column, 0)).toMatchObject({ text: "7", isPending: false, isEdited: true });
  expect(session.pending).toBe(1);
});

it("keeps what the server refuses, and says why", async () => {
  const session = answering(() => json({ error: { kind: "BadInput", message: "Not like this.", hint: "" } }, 400));
  session.edit([{ key: "k", column: "price", text: "9" }]);
  await vi.waitFor(() => expect(lookOf(session, row, column, 0).problem).toBe("Not like this."));
  expect(lookOf(session, row, column, 0).text).toBe("9");
  session.giveUp(row, "price");
  expect(lookOf(session, row, column, 0).text).toBe("2.5");
});

it("says what does not fit the column, before and after the server knows", () => {
  const session = answering(() => json({}));
  session.edit([{ key: "k", column: "price", text: "21 USD" }]);
  expect(lookOf(session, row, column, 0).problem).toContain("21 USD");
  const after = { ...row, key: "other", values: ["21 USD"], edited: [0] };
  expect(lookOf(session, after, { ...column, type: "string" }, 0).problem).toContain("no number");
  expect(lookOf(session, { ...after, edited: [] }, column, 0).problem).toBeUndefined();
});

it("shows the code of an error, and the formula where it is edited", () => {
  const session = answering(() => json({}));
  const failed = {
    ...row,
    values: [null],
    edited: [0],
    errors: new Map([[0, "#DIV/0! It divides by zero."]]),
    formulas: new Map([[0, "=1/0"]]),
  };
  expect(lookOf(session, failed, column, 0)).toMatchObject({
    text: "#DIV/0!",
    kind: "error",
    source: "=1/0",
    problem: "#DIV/0! It divides by zero.",
  });
});

it("says why a cell is doubtful whose data is not", () => {
  const session = answering(() => json({}));
  const text = { ...column, type: "string" };
  expect(ownDoubt(lookOf(session, row, text, 0), text, false)).toContain("shown as string");
  expect(ownDoubt(lookOf(session, row, column, 0), column, true)).toBeUndefined();
  const formula = { ...row, formulas: new Map([[0, "=A2"]]), edited: [0] };
  expect(ownDoubt(lookOf(session, formula, column, 0), column, false)).toContain("refers to");
  expect(ownDoubt(lookOf(session, { ...row, marks: [] }, column, 0), column, false)).toBeUndefined();
});
