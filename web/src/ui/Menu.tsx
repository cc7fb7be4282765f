import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Icon, type IconName } from "./Icon";
import styles from "./Menu.module.css";

export type MenuItem = { label: string; run: () => void; keys?: string; isOff?: boolean };

type Props = { label: string; items: MenuItem[]; text?: string; icon?: IconName };

/** A button that opens a list of commands; arrows move in it, Escape closes it and gives the focus back. */
export function Menu({ label, items, text, icon = "more" }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLSpanElement>(null);
  const entries = () => [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]:not(:disabled)') ?? [])];

  useEffect(() => {
    if (!isOpen) return;
    root.current?.querySelector<HTMLElement>('[role="menuitem"]:not(:disabled)')?.focus();
    const onPress = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    window.addEventListener("pointerdown", onPress);
    return () => window.removeEventListener("pointerdown", onPress);
  }, [isOpen]);

  const close = () => {
    setOpen(false);
    root.current?.querySelector<HTMLElement>("[aria-haspopup]")?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    const all = entries();
    const here = all.indexOf(document.activeElement as HTMLElement);
    if (event.key === "Escape") close();
    else if (event.key === "ArrowDown") all[(here + 1) % all.length]?.focus();
    else if (event.key === "ArrowUp") all[(here - 1 + all.length) % all.length]?.focus();
    else if (event.key === "Home") all[0]?.focus();
    else if (event.key === "End") all.at(-1)?.focus();
    else if (event.key === "Tab") return setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of a menu work wherever in it the focus is
    <span ref={root} className={styles.menu} onKeyDown={onKeyDown}>
      <button
        type="button"
        className={text === undefined ? styles.dots : "button"}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {text}
        <Icon name={text === undefined ? icon : "down"} size={text === undefined ? 16 : 12} />
      </button>
      {isOpen && (
        <span id={id} role="menu" aria-label={label} className={styles.list}>
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={styles.item}
              disabled={item.isOff}
              onClick={() => {
                close();
                item.run();
              }}
            >
              <span>{item.label}</span>
              {item.keys && <span className={styles.keys}>{item.keys}</span>}
            </button>
          ))}
        </span>
      )}
    </span>
  );
}
