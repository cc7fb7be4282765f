import type { NotebookCell } from "../api/notebooks";

/** How a cell stands, as one character beside the word. */
export const SIGNS: Record<NotebookCell["status"], string> = {
  draft: "✎",
  waiting: "…",
  running: "◌",
  ready: "✓",
  stale: "◷",
  error: "✕",
  cancelled: "■",
  frozen: "❄",
};
