import { ApiError } from "../api/client";
import type { Command, Operation } from "./api";

type Send<A> = (command: Command) => Promise<A>;
type Told<A> = {
  /** The server has done it, and keeps it. */
  onDone: (command: Command, answer: A) => void;
  /** The server will not do it. */
  onRefused: (command: Command, error: Error) => void;
  onChange: () => void;
};
type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const RETRY_AFTER = 2000;

/**
 * Operations on their way to the server, in order, one at a time. What cannot be sent waits, survives a reload of the
 * page, and is sent under the same id, so that what was done already is not done twice.
 */
export class Outbox<A> {
  readonly #waiting: Command[];
  readonly #send: Send<A>;
  readonly #told: Told<A>;
  readonly #shelf: Shelf;
  readonly #name: string;
  #isSending = false;
  #isOffline = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(name: string, send: Send<A>, told: Told<A>, shelf: Shelf = window.localStorage) {
    this.#name = `whence.outbox.${name}`;
    this.#send = send;
    this.#told = told;
    this.#shelf = shelf;
    this.#waiting = read(shelf.getItem(this.#name));
  }

  /** How many are not known to be done. */
  get count(): number {
    return this.#waiting.length;
  }

  get isOffline(): boolean {
    return this.#isOffline;
  }

  add(operation: Operation): Command {
    const command = { ...operation, command_id: crypto.randomUUID() };
    this.#waiting.push(command);
    this.#keep();
    void this.flush();
    return command;
  }

  /** Send what waits. */
  async flush(): Promise<void> {
    if (this.#isSending || this.#isOver) return;
    this.#isSending = true;
    clearTimeout(this.#timer);
    for (let next = this.#waiting[0]; next !== undefined && !this.#isOver; next = this.#waiting[0]) {
      if (!(await this.#try(next))) break;
    }
    this.#isSending = false;
    this.#told.onChange();
  }

  /** Forget what waits: the sheet it was meant for is gone. */
  clear(): void {
    this.#waiting.length = 0;
    this.#keep();
  }

  /** Send no more from this page; what waits is kept. */
  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  /** Begin again after `dispose`. */
  open(): void {
    this.#isOver = false;
    if (this.count > 0) void this.flush();
  }

  async #try(command: Command): Promise<boolean> {
    try {
      const answer = await this.#send(command);
      this.#isOffline = false;
      this.#remove(command);
      this.#told.onDone(command, answer);
      return true;
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error("The edit could not be sent.");
      if (error instanceof ApiError && !error.isOffline && error.kind !== "NotSignedIn") {
        this.#remove(command);
        this.#told.onRefused(command, error);
        return true;
      }
      this.#isOffline = true;
      this.#timer = setTimeout(() => void this.flush(), RETRY_AFTER);
      return false;
    }
  }

  #remove(command: Command): void {
    const at = this.#waiting.indexOf(command);
    if (at >= 0) this.#waiting.splice(at, 1);
    this.#keep();
  }

  #keep(): void {
    if (this.#waiting.length === 0) this.#shelf.removeItem(this.#name);
    else this.#shelf.setItem(this.#name, JSON.stringify(this.#waiting));
  }
}

function read(text: string | null): Command[] {
  try {
    const given: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(given) ? (given as Command[]) : [];
  } catch {
    return [];
  }
}
