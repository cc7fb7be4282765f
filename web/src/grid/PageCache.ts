import type { Page } from "../api/client";

export const PAGE_ROWS = 200;
const MOST_PAGES = 60;

export type Row = {
  values: unknown[];
  marks: readonly number[];
  isDoubtful: boolean;
  line: number | null;
};

type Entry =
  | { state: "loading"; abort: AbortController }
  | { state: "ready"; rows: Row[] }
  | { state: "failed"; error: Error };

type Fetch = (offset: number, limit: number, signal: AbortSignal) => Promise<Page>;

/** Pages of one dataset version: fetched when they come into view, given up when they leave it, forgotten when old. */
export class PageCache {
  readonly #entries = new Map<number, Entry>();
  readonly #fetch: Fetch;
  readonly #listeners = new Set<() => void>();
  #changes = 0;

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /** Make sure that these rows are there or on their way, and stop fetching all others. */
  want(ranges: { first: number; end: number }[]): void {
    const pages = new Set(ranges.flatMap(pagesOf));
    this.#abandonAllBut(pages);
    for (const page of pages) {
      const entry = this.#entries.get(page);
      if (entry === undefined) this.#load(page);
      else this.#touch(page, entry);
    }
  }

  /** The row, or what stands in its way. */
  row(index: number): Row | "loading" | Error {
    const entry = this.#entries.get(Math.floor(index / PAGE_ROWS));
    if (entry?.state === "ready") return entry.rows[index % PAGE_ROWS] ?? "loading";
    return entry?.state === "failed" ? entry.error : "loading";
  }

  /** Try again what failed. */
  retry(): void {
    for (const [page, entry] of this.#entries) if (entry.state === "failed") this.#load(page);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Grows whenever a row may have changed. */
  snapshot = (): number => this.#changes;

  /** Stop all requests. */
  dispose(): void {
    this.#abandonAllBut(new Set());
  }

  #load(page: number): void {
    const abort = new AbortController();
    this.#put(page, { state: "loading", abort });
    this.#fetch(page * PAGE_ROWS, PAGE_ROWS, abort.signal).then(
      (answer) => !abort.signal.aborted && this.#put(page, { state: "ready", rows: toRows(answer) }),
      (error: Error) => !abort.signal.aborted && this.#put(page, { state: "failed", error }),
    );
  }

  #put(page: number, entry: Entry): void {
    this.#touch(page, entry);
    for (const [oldest, old] of this.#entries) {
      if (this.#entries.size <= MOST_PAGES) break;
      if (old.state !== "loading") this.#entries.delete(oldest);
    }
    this.#changes++;
    for (const listener of this.#listeners) listener();
  }

  /** A map remembers the order of insertion, so the page used longest ago comes first. */
  #touch(page: number, entry: Entry): void {
    this.#entries.delete(page);
    this.#entries.set(page, entry);
  }

  #abandonAllBut(wanted: ReadonlySet<number>): void {
    for (const [page, entry] of this.#entries) {
      if (entry.state !== "loading" || wanted.has(page)) continue;
      entry.abort.abort();
      this.#entries.delete(page);
    }
  }
}

export function isRow(row: Row | "loading" | Error): row is Row {
  return row !== "loading" && !(row instanceof Error);
}

function pagesOf({ first, end }: { first: number; end: number }): number[] {
  const from = Math.floor(first / PAGE_ROWS);
  const to = Math.floor((end - 1) / PAGE_ROWS);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}

function toRows(page: Page): Row[] {
  return page.rows.map((values, i) => ({
    values,
    marks: page.marks[i] ?? [],
    isDoubtful: page.row_marks[i] ?? false,
    line: page.lines[i] ?? null,
  }));
}
