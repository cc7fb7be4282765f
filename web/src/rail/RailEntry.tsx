import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { AnchoredMenu } from "../ui/AnchoredMenu";
import { Icon } from "../ui/Icon";
import type { MenuItem } from "../ui/MenuList";
import styles from "./RailEntry.module.css";

type Props = {
  /** What the commands are about: "notebook tour". */
  label: string;
  items: MenuItem[];
  onRename?: (() => void) | undefined;
  onDelete?: (() => void) | undefined;
  children: ReactNode;
};

/** An entry of the rail with a menu of its own: by its button, the context menu, F2 to rename and Delete. */
export function RailEntry({ label, items, onRename, onDelete, children }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<DOMRect>();
  if (items.length === 0) return children;
  const open = () => setAnchor(button.current?.getBoundingClientRect());
  const onKeyDown = (event: KeyboardEvent) => {
    const run = event.key === "F2" ? onRename : event.key === "Delete" ? onDelete : undefined;
    if (run === undefined || anchor !== undefined) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys and the context menu belong to the link inside
    <div
      className={styles.entry}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => {
        event.preventDefault();
        open();
      }}
    >
      {children}
      <button
        ref={button}
        type="button"
        className={styles.more}
        aria-label={`More about the ${label}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={open}
      >
        <Icon name="more" />
      </button>
      {anchor && (
        <AnchoredMenu label={`The ${label}`} items={items} anchor={anchor} onClose={() => setAnchor(undefined)} />
      )}
    </div>
  );
}
