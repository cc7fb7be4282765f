import { type CSSProperties, type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import styles from "./Menu.module.css";

export type MenuItem = { label: string; run: () => void; keys?: string; isOff?: boolean } | "line";

type Props = {
  id?: string | undefined;
  label: string;
  items: MenuItem[];
  className?: string | undefined;
  style?: CSSProperties;
  /** The element to which the menu belongs: a press in it is not a press elsewhere. */
  owner?: RefObject<HTMLElement | null>;
  /** A command was chosen, or a key or a press elsewhere closes the list. */
  onClose: () => void;
};

/** A list of commands; arrow keys walk it, Escape, Tab and a press elsewhere close it, the focus goes back where it was. */
export function MenuList({ id, label, items, className, style, owner, onClose }: Props) {
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
      if (!(owner ?? list).current?.contains(event.target as Node)) onClose();
    };
    window.addEventListener("pointerdown", onDown, true);
    return () => window.removeEventListener("pointerdown", onDown, true);
  }, [owner, onClose]);

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

  return (
    <div
      ref={list}
      id={id}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className={[styles.list, className].join(" ")}
      style={style}
      onKeyDown={onKeyDown}
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
    </div>
  );
}
