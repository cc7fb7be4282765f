import { useEffect, useRef, useState } from "react";
import type { Notebook } from "../api/notebooks";
import { say } from "../state/toast";
import type { PageEdits } from "./api";
import { type Item, keyOf, placeWords, withItem } from "./grid";

const SOON = 500;

/** The page as it is while it is arranged. It is sent once somebody stops, so that not every key makes a version. */
export function useArrangement(notebook: Notebook, edits: PageEdits) {
  const [draft, setDraft] = useState<Item[]>();
  const [announcement, setAnnouncement] = useState("");
  const base = useRef(notebook.version);
  const waiting = useRef<number>(undefined);
  const drafted = useRef<Item[]>(undefined);
  const items = draft ?? notebook.page ?? [];

  const isSending = useRef(false);
  const queued = useRef<Item[]>(undefined);
  const send = async (next: Item[]) => {
    window.clearTimeout(waiting.current);
    waiting.current = undefined;
    queued.current = next;
    // One at a time: a change names the version that it is made on, which the answer to the one before it tells.
    if (isSending.current) return;
    isSending.current = true;
    let sent = next;
    while (queued.current) {
      sent = queued.current;
      queued.current = undefined;
      try {
        base.current = (await edits.arrange.mutateAsync({ items: sent, base_version: base.current })).version;
      } catch (error) {
        say({ text: error instanceof Error ? error.message : String(error) });
        queued.current = undefined;
      }
    }
    isSending.current = false;
    // What the notebook says by now is shown again, unless something was changed since.
    setDraft((known) => (known === sent ? undefined : known));
  };
  const change = (next: Item[], isDone: boolean, isSoon = false) => {
    if (drafted.current === undefined && draft === undefined) base.current = notebook.version;
    setDraft(next);
    drafted.current = isDone ? undefined : next;
    window.clearTimeout(waiting.current);
    if (!isDone) return;
    if (!isSoon) return send(next);
    drafted.current = next;
    waiting.current = window.setTimeout(() => {
      drafted.current = undefined;
      send(next);
    }, SOON);
  };
  // Who leaves the page right after a key has not lost it.
  const latest = useRef(send);
  latest.current = send;
  useEffect(
    () => () => {
      if (waiting.current !== undefined && drafted.current) latest.current(drafted.current);
    },
    [],
  );
  return {
    items,
    announcement,
    /** The notebook has every change by now. */
    isStored: draft === undefined,
    add: (item: Item) => change(withItem(items, item), true),
    remove: (item: Item) => {
      change(
        items.filter((each) => keyOf(each) !== keyOf(item)),
        true,
      );
    },
    title: (item: Item, title: string) =>
      change(
        items.map((each) => (keyOf(each) === keyOf(item) ? { ...each, title } : each)),
        true,
      ),
    /** Items that the changed one would cover move down; those that moved for a step of a drag move back. */
    place: (item: Item, isDone: boolean, isByKey: boolean) => {
      const others = isByKey ? items : (notebook.page ?? []);
      change(withItem(others, item), isDone, isByKey);
      if (isDone) setAnnouncement(placeWords(item));
    },
    /** A drag that ended where it began. */
    cancel: () => setDraft(undefined),
  };
}
