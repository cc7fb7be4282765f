// Which mark a cell gets and in which words, given what the kernel said.

import type { Highlights } from "./messages";

export type MarkKind = "would-fail" | "stale" | "refresher" | "fresh" | "again";

export interface Mark {
  readonly kind: MarkKind;
  readonly text: string;
  readonly canRunFirst: boolean;
}

const WORDS: Readonly<Record<MarkKind, string>> = {
  "would-fail": "Would fail",
  stale: "Stale",
  refresher: "Refresher",
  fresh: "Fresh",
  again: "Again",
};

/** The mark of one cell, the gravest if several hold; `order` are the cells' ids from top to bottom. */
export function markOf(cell: string, now: Highlights, order: readonly string[]): Mark | null {
  const kind = kindOf(cell, now);
  if (kind === null) {
    return null;
  }
  const reason = (kind === "again" ? now.again[cell] : now.reasons[cell]?.replace(/^would fail: /, "")) ?? "";
  return {
    kind,
    text: `${WORDS[kind]}: ${withPositions(reason, order)}`,
    canRunFirst: kind === "stale",
  };
}

function kindOf(cell: string, now: Highlights): MarkKind | null {
  if (cell in now.would_fail) return "would-fail";
  if (now.stale.includes(cell)) return "stale";
  if (now.refresher.includes(cell)) return "refresher";
  if (now.fresh.includes(cell)) return "fresh";
  return cell in now.again ? "again" : null;
}

/** Jupyter's ids mean nothing to a reader, so a cell is named by its place in the notebook. */
export function withPositions(text: string, order: readonly string[]): string {
  let result = text;
  for (const [index, id] of order.entries()) {
    result = result.replaceAll(id, String(index + 1));
  }
  return result;
}
