/** One thing that may stand at the caret, and what it is. */
export type Suggestion = {
  label: string;
  /** What is written, if it is not the label itself. */
  apply?: string;
  kind: "dataset" | "column" | "parameter" | "keyword" | "function";
  detail?: string;
};

/** What may stand from a position on; nothing is offered where nothing is known. */
export type Suggestions = { from: number; options: Suggestion[] };
