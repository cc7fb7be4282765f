import { ApiError } from "../api/client";
import { isRow, PageCache } from "../grid/PageCache";
import { type Command, fetchRows, type Operation, readSheet, type Sheet, type SheetColumn, send } from "./api";
import { Outbox } from "./Outbox";
import { type SheetRow, toSheetRows } from "./SheetRow";

/** What was typed into a cell, shown until the server's rows say it, too. */
type Typed = { text: string; command: string; doneAt?: number; problem?: string };
const MOST_TYPED = 20_000;
const LARGEST_PAGE = 1000;

export type CellEdit = { key: string; column: string; text: string };

/** An open sheet: its pages, what was typed and is on its way, what the server says it comes to. Lives outside React. */
export class SheetSession {
  readonly id: string;
  readonly pages: PageCache<SheetRow>;
  readonly #outbox: Outbox<Sheet>;
  readonly #typed = new Map<string, Typed>();
  readonly #listeners = new Set<() => void>();
  #sheet: Sheet;
  #columns: SheetColumn[] = [];
  #count: number;
  #where: string | undefined;
  #revision = 0;
  #changes = 0;
  #latency: number | undefined;
  #problem: Error | undefined;

  constructor(sheet: Sheet) {
    this.id = sheet.id;
    this.#sheet = sheet;
    this.#count = sheet.count;
    this.pages = new PageCache((offset, limit, signal) => this.#fetch(offset, limit, signal));
    this.#outbox = new Outbox(sheet.id, (command) => send(sheet.id, command), {
      onDone: (command, answer) => this.#done(command, answer),
      onRefused: (command, error) => this.#refused(command, error),
      onChange: () => this.#tell(),
    });
  }

  get sheet(): Sheet {
    return this.#sheet;
  }

  /** Columns with their types; empty until the first page has come. */
  get columns(): readonly SheetColumn[] {
    return this.#columns;
  }

  /** Rows that are looked at. */
  get count(): number {
    return this.#count;
  }

  get where(): string | undefined {
    return this.#where;
  }

  /** Grows with every operation the server has done. */
  get revision(): number {
    return this.#revision;
  }

  /** Operations that stand and those on their way. */
  get pending(): number {
    return this.#sheet.operations + this.#outbox.count;
  }

  get unsent(): number {
    return this.#outbox.count;
  }

  get isOffline(): boolean {
    return this.#outbox.isOffline;
  }

  /** How long the last page took, in milliseconds. */
  get latency(): number | undefined {
    return this.#latency;
  }

  /** The last thing that went wrong and concerns no single cell. */
  get problem(): Error | undefined {
    return this.#problem;
  }

  /** What was typed into a cell, if the row does not show it yet. */
  typed(row: SheetRow, column: string): Typed | undefined {
    const typed = this.#typed.get(`${row.key} ${column}`);
    if (typed === undefined || typed.problem !== undefined) return typed;
    return typed.doneAt === undefined || row.revision < typed.doneAt ? typed : undefined;
  }

  /** Put texts into cells: they show at once, and go to the server as one operation. */
  edit(cells: readonly CellEdit[], operation?: Operation): void {
    const [first] = cells;
    if (first === undefined) return;
    const asked = operation ?? {
      operation: "set",
      arguments: { row: first.key, column: first.column, value: first.text },
    };
    const { command_id } = this.#outbox.add(asked);
    for (const { key, column, text } of cells) this.#typed.set(`${key} ${column}`, { text, command: command_id });
    this.#tell();
  }

  /** Give up a text that the server refused. */
  giveUp(row: SheetRow, column: string): void {
    this.#typed.delete(`${row.key} ${column}`);
    this.#tell();
  }

  do(operation: string, given: Record<string, unknown> = {}): void {
    this.#outbox.add({ operation, arguments: given });
    this.#tell();
  }

  /** Resolves when nothing is on its way any more. */
  settled(): Promise<void> {
    if (this.unsent === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.subscribe(() => {
        if (this.unsent > 0) return;
        stop();
        resolve();
      });
    });
  }

  /** Rows by their place in what is looked at; those not at hand are fetched. */
  async rows(first: number, last: number): Promise<SheetRow[]> {
    const found: SheetRow[] = [];
    for (let at = first; at <= last; at++) {
      const row = this.pages.row(at);
      if (isRow(row)) found.push(row);
      else {
        const limit = Math.min(LARGEST_PAGE, last - at + 1);
        const page = await fetchRows(this.id, at, limit, { where: this.#where }, new AbortController().signal);
        found.push(...toSheetRows(page, this.#revision));
        at += page.rows.length - 1;
        if (page.rows.length === 0) break;
      }
    }
    return found;
  }

  /** Where a row of the sheet is in what is looked at; undefined if a filter leaves it out. */
  async placeOf(position: number): Promise<number | undefined> {
    if (this.#where === undefined) return position < this.#count ? position : undefined;
    let [first, last] = [0, this.#count - 1];
    while (first <= last) {
      const middle = Math.floor((first + last) / 2);
      const [row] = await this.rows(middle, middle);
      if (row === undefined || row.position === position) return row && middle;
      if (row.position < position) first = middle + 1;
      else last = middle - 1;
    }
    return undefined;
  }

  /** The number of a row as formulas count it, if it is at hand. */
  numberOf(place: number): number | undefined {
    const row = this.pages.row(place);
    if (isRow(row)) return row.position + 1;
    return this.#where === undefined ? place + 1 : undefined;
  }

  /** Look only at rows for which a formula holds, or at all. */
  look(where: string | undefined): void {
    if (where === this.#where) return;
    this.#where = where;
    this.pages.refresh();
    this.#tell();
  }

  /** Whether the sheet is gone: applied or discarded, here or elsewhere. */
  get isGone(): boolean {
    return this.#problem instanceof ApiError && this.#problem.kind === "UnknownSheet";
  }

  /** See what other tabs have done meanwhile. */
  async check(): Promise<void> {
    if (this.unsent > 0 || this.isGone) return;
    const revision = this.#revision;
    const found = await readSheet(this.id).catch((error: unknown) => error);
    if (revision !== this.#revision || this.unsent > 0) return;
    if (found instanceof ApiError && !found.isOffline) this.#problem = found;
    else if (found instanceof Error || JSON.stringify(found) === JSON.stringify(this.#sheet)) return;
    else this.#take(found as Sheet);
    this.#tell();
  }

  dismiss(): void {
    this.#problem = undefined;
    this.#tell();
  }

  /** The sheet was applied or discarded. */
  forget(): void {
    this.#outbox.clear();
    this.#typed.clear();
  }

  open(): void {
    this.#outbox.open();
  }

  dispose(): void {
    this.#outbox.dispose();
    this.pages.dispose();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Grows whenever something may look different. */
  snapshot = (): number => this.#changes;

  async #fetch(offset: number, limit: number, signal: AbortSignal): Promise<SheetRow[]> {
    const [revision, where, began] = [this.#revision, this.#where, performance.now()];
    const page = await fetchRows(this.id, offset, limit, { where }, signal);
    if (!signal.aborted && where === this.#where) {
      this.#latency = performance.now() - began;
      this.#columns = sameColumns(this.#columns, page.columns);
      this.#count = page.count;
      this.#tell();
    }
    return toSheetRows(page, revision);
  }

  #take(sheet: Sheet): void {
    this.#revision++;
    this.#sheet = sheet;
    if (this.#where === undefined) this.#count = sheet.count;
    if (this.#outbox.count === 0) this.pages.refresh();
  }

  #done(command: Command, answer: Sheet): void {
    this.#take(answer);
    for (const [cell, typed] of this.#typed) {
      if (typed.command === command.command_id) typed.doneAt = this.#revision;
      else if (typed.doneAt !== undefined && this.#typed.size > MOST_TYPED) this.#typed.delete(cell);
    }
    this.#tell();
  }

  #refused(command: Command, error: Error): void {
    const cells = [...this.#typed.values()].filter((typed) => typed.command === command.command_id);
    for (const typed of cells) typed.problem = error.message;
    if (cells.length === 0 || (error as ApiError).kind === "UnknownSheet") this.#problem = error;
    if (this.#outbox.count === 0) this.pages.refresh();
    this.#tell();
  }

  #tell(): void {
    this.#changes++;
    for (const listener of this.#listeners) listener();
  }
}

/** The same list as before while nothing in it changes, so that widths are not worked out again. */
function sameColumns(before: SheetColumn[], after: SheetColumn[]): SheetColumn[] {
  return JSON.stringify(before) === JSON.stringify(after) ? before : after;
}
