import { createPortal } from "react-dom";
import styles from "./Menu.module.css";
import { type MenuItem, MenuList } from "./MenuList";

type Props = {
  label: string;
  items: MenuItem[];
  /** Where the element stands that the list opens below. */
  anchor: DOMRect;
  onClose: () => void;
};

/** A list of commands over everything else, below any element of the page. */
export function AnchoredMenu({ label, items, anchor, onClose }: Props) {
  const left = Math.max(8, Math.min(anchor.left, window.innerWidth - 260));
  const style = { left, top: anchor.bottom + 4, maxHeight: Math.max(160, window.innerHeight - anchor.bottom - 16) };
  const list = <MenuList label={label} items={items} className={styles.anchored} style={style} onClose={onClose} />;
  return createPortal(list, document.body);
}
