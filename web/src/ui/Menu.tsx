import { useCallback, useId, useRef, useState } from "react";
import { Icon, type IconName } from "./Icon";
import styles from "./Menu.module.css";
import { type MenuItem, MenuList } from "./MenuList";
import { ToolLook } from "./Tool";
import tool from "./Tool.module.css";

type Props = {
  label: string;
  items: MenuItem[];
  text?: string;
  icon?: IconName;
  /** It is one of the tools of a toolbar, and this is its word. */
  toolText?: string | undefined;
};

/** A button that opens a list of commands below it. */
export function Menu({ label, items, text, icon = "more", toolText }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLSpanElement>(null);
  const close = useCallback(() => setOpen(false), []);
  const isTool = toolText !== undefined;
  return (
    <span ref={root} className={styles.menu}>
      <button
        type="button"
        className={isTool ? tool.tool : text === undefined ? styles.dots : "button"}
        title={isTool ? label : undefined}
        data-tool={isTool ? "" : undefined}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {text}
        {isTool ? (
          <ToolLook icon={icon} text={toolText} />
        ) : (
          <Icon name={text === undefined ? icon : "down"} size={text === undefined ? 16 : 12} />
        )}
      </button>
      {isOpen && <MenuList id={id} label={label} items={items} className={styles.below} owner={root} onClose={close} />}
    </span>
  );
}
