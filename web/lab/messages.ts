// What the kernel says over the comm, version 1 of the protocol; see docs/safety.md.

export interface Highlights {
  readonly type: "highlights";
  readonly version: number;
  readonly stale: readonly string[];
  readonly fresh: readonly string[];
  readonly refresher: readonly string[];
  readonly would_fail: Readonly<Record<string, readonly string[]>>;
  readonly again: Readonly<Record<string, string>>;
  readonly reasons: Readonly<Record<string, string>>;
}

export interface Upstream {
  readonly type: "upstream";
  readonly version: number;
  readonly cell: string;
  readonly cells: readonly string[];
}

export interface Run {
  readonly type: "run";
  readonly version: number;
  readonly cells: readonly string[];
}

export type Message = Highlights | Upstream | Run;

export const TARGET = "whence.safety";

const TYPES = new Set(["highlights", "upstream", "run"]);

export function readMessage(data: unknown): Message | null {
  const message = data as Message | null;
  return typeof message === "object" && message !== null && TYPES.has(message.type) ? message : null;
}
