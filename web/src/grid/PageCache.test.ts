import { expect, it, vi } from "vitest";
import type { Page } from "../api/client";
import { PAGE_ROWS, PageCache, type Row, toRows } from "./PageCache";

function page(offset: number): Page {
  const rids = Array.from({ length: PAGE_ROWS }, (_, i) => offset + i);
  return {
    name: "t",
    version: 1,
    offset,
    count: 1000,
    columns: [],
    rids,
    rows: rids.map((rid) => [rid]),
    marks: rids.map((rid) => (rid === 7 ? [0] : [])),
    row_marks: rids.map((rid) => rid === 8),
    written: rids.map((rid) => (rid === 9 ? [1] : [])),
    lines: rids.map((rid) => rid + 2),
  };
}

/** A server whose answers wait until they are let go. */
function slowServer() {
  const calls: { offset: number; signal: AbortSignal; answer: () => void; fail: () => void }[] = [];
  const fetch = (offset: number, _limit: number, signal: AbortSignal) =>
    new Promise<Row[]>((resolve, reject) => {
      calls.push({ offset, signal, answer: () => resolve(toRows(page(offset))), fail: () => reject(new Error("no")) });
    });
  return { calls, fetch };
}

const quickly = (offset: number) => Promise.resolve(toRows(page(offset)));

it("gives rows with their marks and lines once their page has come", async () => {
  const cache = new PageCache(quickly);
  cache.want([{ first: 0, end: 10 }]);
  expect(cache.row(7)).toBe("loading");
  const row = { rid: 7, values: [7], marks: [0], isDoubtful: false, written: [], line: 9 };
  await vi.waitFor(() => expect(cache.row(7)).toEqual(row));
  expect(cache.row(9)).toMatchObject({ written: [1] });
  expect(cache.row(8)).toMatchObject({ isDoubtful: true });
});

it("asks for each page in view once", () => {
  const { calls, fetch } = slowServer();
  const cache = new PageCache(fetch);
  cache.want([{ first: 150, end: 450 }]);
  cache.want([{ first: 160, end: 450 }]);
  expect(calls.map((call) => call.offset)).toEqual([0, 200, 400]);
});

it("gives up pages that left the view, and takes no late answer for them", async () => {
  const { calls, fetch } = slowServer();
  const cache = new PageCache(fetch);
  cache.want([{ first: 0, end: 30 }]);
  cache.want([{ first: 1_000_000, end: 1_000_030 }]);
  expect(calls.map((call) => call.signal.aborted)).toEqual([true, false]);
  calls[0]?.answer();
  calls[1]?.answer();
  await vi.waitFor(() => expect(cache.row(1_000_000)).toMatchObject({ values: [1_000_000] }));
  expect(cache.row(0)).toBe("loading");
});

it("forgets the pages used longest ago", async () => {
  const cache = new PageCache(quickly);
  for (let i = 0; i < 70; i++) {
    cache.want([
      { first: 0, end: 1 },
      { first: i * PAGE_ROWS, end: i * PAGE_ROWS + 1 },
    ]);
    await Promise.resolve();
  }
  expect(cache.row(0)).not.toBe("loading");
  expect(cache.row(PAGE_ROWS)).toBe("loading");
  expect(cache.row(69 * PAGE_ROWS)).not.toBe("loading");
});

it("keeps a failure until it is tried again", async () => {
  const { calls, fetch } = slowServer();
  const cache = new PageCache(fetch);
  cache.want([{ first: 0, end: 1 }]);
  calls[0]?.fail();
  await vi.waitFor(() => expect(cache.row(0)).toBeInstanceOf(Error));
  cache.want([{ first: 0, end: 1 }]);
  expect(calls).toHaveLength(1);
  cache.retry();
  calls[1]?.answer();
  await vi.waitFor(() => expect(cache.row(0)).toMatchObject({ values: [0] }));
});

it("shows what it has until it has been read again", async () => {
  const { calls, fetch } = slowServer();
  const cache = new PageCache(fetch);
  cache.want([{ first: 0, end: 1 }]);
  calls[0]?.answer();
  await vi.waitFor(() => expect(cache.row(3)).toMatchObject({ values: [3] }));
  cache.refresh();
  cache.want([{ first: 0, end: 1 }]);
  expect(calls).toHaveLength(2);
  expect(cache.row(3)).toMatchObject({ values: [3] });
  cache.want([{ first: 5000, end: 5001 }]);
  expect(calls[1]?.signal.aborted).toBe(true);
  expect(cache.row(3)).toMatchObject({ values: [3] });
  cache.want([{ first: 0, end: 1 }]);
  expect(calls).toHaveLength(4);
  calls[3]?.answer();
  await vi.waitFor(() => expect(calls).toHaveLength(4));
  cache.want([{ first: 0, end: 1 }]);
  expect(calls).toHaveLength(4);
});

it("tells its listeners when rows change", async () => {
  const cache = new PageCache(quickly);
  const listener = vi.fn();
  const stop = cache.subscribe(listener);
  const before = cache.snapshot();
  cache.want([{ first: 0, end: 1 }]);
  await vi.waitFor(() => expect(cache.row(0)).not.toBe("loading"));
  expect(listener).toHaveBeenCalled();
  expect(cache.snapshot()).toBeGreaterThan(before);
  stop();
});

it("finds the place of a row among the pages that have come", async () => {
  const cache = new PageCache(quickly);
  cache.want([{ first: PAGE_ROWS, end: PAGE_ROWS + 1 }]);
  await vi.waitFor(() => expect(cache.find(({ rid }) => rid === PAGE_ROWS + 3)).toBe(PAGE_ROWS + 3));
  expect(cache.find(({ rid }) => rid === 3)).toBeUndefined();
});
