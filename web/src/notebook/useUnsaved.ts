import { useRef, useState } from "react";
import { type Base, keepUnsaved, readUnsaved, type Unsaved, withoutSaved, withTyped } from "./unsaved";

/** What is typed into a cell's fields. A key that sends it may come before the page has drawn the last letter. */
export function useUnsaved(notebook: string, cell: string) {
  const [unsaved, setUnsaved] = useState(() => readUnsaved(notebook, cell));
  const latest = useRef(unsaved);
  const put = (next: Unsaved) => {
    latest.current = next;
    setUnsaved(next);
    keepUnsaved(notebook, cell, next);
  };
  return {
    texts: unsaved.texts,
    latest: () => latest.current,
    type: (name: string, text: string, now: Base) => put(withTyped(latest.current, name, text, now)),
    /** The server has this; what was typed since stays. */
    sent: (saved: Record<string, string>, now: Base) => put(withoutSaved(latest.current, saved, now)),
    /** The user has seen the newest version and wants this text all the same. */
    rebase: (now: Base) => put({ ...latest.current, base: now }),
    discard: () => put({ texts: {} }),
  };
}
