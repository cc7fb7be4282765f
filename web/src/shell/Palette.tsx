import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Icon, type IconName } from "../ui/Icon";
import { bestMatches } from "./match";
import styles from "./Palette.module.css";

export type Entry = { label: string; kind: string; icon: IconName; run: () => void; keys?: string };

const MOST = 40;

/** Type a few letters to go anywhere or do anything. */
export function Palette({ entries, onClose }: { entries: Entry[]; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const id = useId();
  const found = bestMatches(typed, entries, MOST);
  useEffect(() => dialog.current?.showModal(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whichever entry is active is brought into view
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    dialog.current?.close();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setActive((active + 1) % Math.max(1, found.length));
    else if (event.key === "ArrowUp") setActive((active - 1 + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter") choose(found[active]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label="Commands"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current.close();
      }}
      onKeyDown={onKeyDown}
    >
      <input
        className={styles.input}
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
        aria-label="Go to or do"
        placeholder="Go to a dataset, notebook or cell, or do something…"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
      />
      <div ref={list} id={id} role="listbox" aria-label="Found" className={styles.list} tabIndex={-1}>
        {found.map((entry, position) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
          <div
            key={`${entry.kind} ${entry.label}`}
            id={`${id}-${position}`}
            role="option"
            aria-selected={position === active}
            className={styles.entry}
            onClick={() => choose(entry)}
            onPointerMove={() => setActive(position)}
            onKeyDown={onKeyDown}
          >
            <Icon name={entry.icon} />
            <span className={styles.label}>{entry.label}</span>
            <span className={styles.kind}>{entry.keys ?? entry.kind}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className={styles.none}>No results.</p>}
    </dialog>
  );
}
