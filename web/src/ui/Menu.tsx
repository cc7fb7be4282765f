import { useCallback, useId, useRef, useState } from "react";
import { Icon, type IconName } from "./Icon";
import styles from "./Menu.module.css";
import { type MenuItem, MenuList } from "./MenuList";

type Props = { label: string; items: MenuItem[]; text?: string; icon?: IconName };

/** A button that opens a list of commands below it. */
export function Menu({ label, items, text, icon = "more" }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLSpanElement>(null);
  const close = useCallback(() => setOpen(false), []);
  return (
    <span ref={root} className={styles.menu}>
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
      {isOpen && <MenuList id={id} label={label} items={items} className={styles.below} owner={root} onClose={close} />}
    </span>
  );
}
