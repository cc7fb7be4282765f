import { useRef, useState } from "react";
import { type Draft, keepDraft, readDraft } from "./drafts";

/** What is typed into a cell's fields. A key that sends it may come before the page has drawn the last letter. */
export function useDraft(notebook: string, cell: string) {
  const [draft, setDraft] = useState(() => readDraft(notebook, cell));
  const latest = useRef(draft);
  const put = (next: Draft) => {
    latest.current = next;
    setDraft(next);
    keepDraft(notebook, cell, next);
  };
  return {
    draft,
    latest: () => latest.current,
    type: (name: string, text: string) => put({ ...latest.current, [name]: text }),
    /** The server has this; what was typed since stays. */
    sent: (saved: Draft) => put(without(latest.current, saved)),
    discard: () => put({}),
  };
}

export function without(draft: Draft, saved: Draft): Draft {
  return Object.fromEntries(Object.entries(draft).filter(([name, text]) => saved[name] !== text));
}
