import { type KeyboardEvent, useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import styles from "./Menu.module.css";

export type MenuItem = { label: string; run: () => void; keys?: string; isOff?: boolean } | "line";

type Props = {
  label: string;
  items: MenuItem[];
  /** The element it opens below. */
  anchor: DOMRect;
  onClose: () => void;
};

/** A list of commands; arrow keys walk it, Escape and a click elsewhere close it. */
export function Menu({ label, items, anchor, onClose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const entries = () => [...(list.current?.querySelectorAll<HTMLButtonElement>("button:not(:disabled)") ?? [])];

  // biome-ignore lint/correctness/useExhaustiveDependencies: where the focus goes when it opens, and back to when it closes
  useEffect(() => {
    const before = document.activeElement;
    entries()[0]?.focus();
    return () => {
      const isElsewhere = document.activeElement !== null && document.activeElement !== document.body;
      if (before instanceof HTMLElement && !isElsewhere) before.focus();
    };
  }, []);

  useEffect(() => {
    const onDown = (event: PointerEvent) => {
      if (!list.current?.contains(event.target as Node)) onClose();
    };
    window.addEventListener("pointerdown", onDown, true);
    return () => window.removeEventListener("pointerdown", onDown, true);
  }, [onClose]);

  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const all = entries();
    const here = all.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === "Escape" || event.key === "Tab") onClose();
    else if (event.key === "ArrowDown") all[(here + 1) % all.length]?.focus();
    else if (event.key === "ArrowUp") all[(here - 1 + all.length) % all.length]?.focus();
    else if (event.key === "Home") all[0]?.focus();
    else if (event.key === "End") all.at(-1)?.focus();
    else return;
    event.preventDefault();
  };

  const left = Math.max(8, Math.min(anchor.left, window.innerWidth - 260));
  return createPortal(
    <div
      ref={list}
      className={styles.menu}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={onKeyDown}
      style={{ left, top: anchor.bottom + 4, maxHeight: Math.max(160, window.innerHeight - anchor.bottom - 16) }}
    >
      {items.map((item, i) =>
        item === "line" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is nothing but its place
          <hr key={i} />
        ) : (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            disabled={item.isOff}
            onClick={() => {
              onClose();
              item.run();
            }}
          >
            {item.label}
            {item.keys && <kbd>{item.keys}</kbd>}
          </button>
        ),
      )}
    </div>,
    document.body,
  );
}
