import type { Session } from "../api/notebooks";

/** What a session says about one cell: the mark, why, and what to do about it. */
export type SessionMark = {
  mark: "stale" | "fails" | "fresh" | "refresher" | "again";
  words: string;
  reason: string;
};

const WORDS: Record<SessionMark["mark"], string> = {
  stale: "would read something old",
  fails: "would fail",
  fresh: "worth running again",
  refresher: "renews what others read",
  again: "would start from its own result",
};

export const SESSION_SIGNS: Record<SessionMark["mark"], string> = {
  stale: "◷",
  fails: "✕",
  fresh: "↻",
  refresher: "↥",
  again: "⟲",
};

/** The marks of a cell, the one that matters most first. */
export function marksOf(cell: string, session: Session | undefined): SessionMark[] {
  if (session === undefined) return [];
  const reason = session.reasons[cell] ?? "";
  const mark = (kind: SessionMark["mark"], why = reason): SessionMark => ({
    mark: kind,
    words: WORDS[kind],
    reason: why,
  });
  const missing = session.would_fail[cell];
  return [
    ...(missing ? [mark("fails", `nothing gives it ${missing.join(", ")} yet`)] : []),
    ...(session.stale.includes(cell) ? [mark("stale")] : []),
    // There is one reason for a cell: that it would help others comes before that it is worth running.
    ...(session.fresh.includes(cell) ? [mark("fresh", session.refresher.includes(cell) ? "" : reason)] : []),
    ...(session.refresher.includes(cell) ? [mark("refresher")] : []),
    ...(session.again[cell] !== undefined ? [mark("again", session.again[cell])] : []),
  ];
}

/** Whether running other cells first would help this one. */
export function needsOthers(marks: SessionMark[]): boolean {
  return marks.some(({ mark }) => mark === "stale" || mark === "fails");
}
