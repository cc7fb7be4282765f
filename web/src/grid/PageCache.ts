import type { Page } from "../api/client";

export const PAGE_ROWS = 200;
const MOST_PAGES = 60;

export type Row = {
  rid: number;
  values: unknown[];
  marks: readonly number[];
  isDoubtful: boolean;
  /** The columns that stand on no data. */
  written: readonly number[];
  line: number | null;
};

type Entry<R> =
  | { state: "loading"; abort: AbortController; before?: R[] | undefined }
  | { state: "ready"; rows: R[]; isOld?: boolean }
  | { state: "failed"; error: Error };

type Fetch<R> = (offset: number, limit: number, signal: AbortSignal) => Promise<R[]>;

/** Pages of rows: fetched when they come into view, given up when they leave it, forgotten when not used for long. */
export class PageCache<R = Row> {
  readonly #entries = new Map<number, Entry<R>>();
  readonly #fetch: Fetch<R>;
  readonly #listeners = new Set<() => void>();
  #changes = 0;

  constructor(fetch: Fetch<R>) {
    this.#fetch = fetch;
  }

  /** Make sure that these rows are there or on their way, and stop fetching all others. */
  want(ranges: { first: number; end: number }[]): void {
    const pages = new Set(ranges.flatMap(pagesOf));
    this.#abandonAllBut(pages);
    for (const page of pages) {
      const entry = this.#entries.get(page);
      if (entry === undefined) this.#load(page);
      else if (entry.state === "ready" && entry.isOld) this.#load(page, entry.rows);
      else this.#touch(page, entry);
    }
  }

  /** The row, or what stands in its way. */
  row(index: number): R | "loading" | Error {
    const entry = this.#entries.get(Math.floor(index / PAGE_ROWS));
    if (entry?.state === "failed") return entry.error;
    const rows = entry?.state === "loading" ? entry.before : entry?.rows;
    return rows?.[index % PAGE_ROWS] ?? "loading";
  }

  /** The place of a row among those that are there. */
  find(isWanted: (row: R) => boolean): number | undefined {
    for (const [page, entry] of this.#entries) {
      const rows = entry.state === "failed" ? undefined : entry.state === "loading" ? entry.before : entry.rows;
      const place = rows?.findIndex(isWanted) ?? -1;
      if (place >= 0) return page * PAGE_ROWS + place;
    }
    return undefined;
  }

  /** What is there may have changed: it is shown until it has been read again. */
  refresh(): void {
    for (const [page, entry] of this.#entries) {
      if (entry.state === "loading") entry.abort.abort();
      const rows = entry.state === "loading" ? entry.before : entry.state === "ready" ? entry.rows : undefined;
      if (rows === undefined) this.#entries.delete(page);
      else this.#entries.set(page, { state: "ready", rows, isOld: true });
    }
    this.#tell();
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

  #load(page: number, before?: R[]): void {
    const abort = new AbortController();
    this.#put(page, { state: "loading", abort, before });
    this.#fetch(page * PAGE_ROWS, PAGE_ROWS, abort.signal).then(
      (rows) => !abort.signal.aborted && this.#put(page, { state: "ready", rows }),
      (error: Error) => !abort.signal.aborted && this.#put(page, { state: "failed", error }),
    );
  }

  #put(page: number, entry: Entry<R>): void {
    this.#touch(page, entry);
    for (const [oldest, old] of this.#entries) {
      if (this.#entries.size <= MOST_PAGES) break;
      if (old.state !== "loading") this.#entries.delete(oldest);
    }
    this.#tell();
  }

  #tell(): void {
    this.#changes++;
    for (const listener of this.#listeners) listener();
  }

  /** A map remembers the order of insertion, so the page used longest ago comes first. */
  #touch(page: number, entry: Entry<R>): void {
    this.#entries.delete(page);
    this.#entries.set(page, entry);
  }

  #abandonAllBut(wanted: ReadonlySet<number>): void {
    for (const [page, entry] of this.#entries) {
      if (entry.state !== "loading" || wanted.has(page)) continue;
      entry.abort.abort();
      if (entry.before === undefined) this.#entries.delete(page);
      else this.#entries.set(page, { state: "ready", rows: entry.before, isOld: true });
    }
  }
}

export function isRow<R>(row: R | "loading" | Error): row is R {
  return row !== "loading" && !(row instanceof Error);
}

function pagesOf({ first, end }: { first: number; end: number }): number[] {
  const from = Math.floor(first / PAGE_ROWS);
  const to = Math.floor((end - 1) / PAGE_ROWS);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}

export function toRows(page: Page): Row[] {
  return page.rows.map((values, i) => ({
    rid: page.rids[i] ?? page.offset + i,
    values,
    marks: page.marks[i] ?? [],
    isDoubtful: page.row_marks[i] ?? false,
    written: page.written[i] ?? [],
    line: page.lines[i] ?? null,
  }));
}
