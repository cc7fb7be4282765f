import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { Icon } from "../ui/Icon";
import type { Drawn } from "./graph";
import styles from "./Tree.module.css";
import { type Item, treeOf } from "./treeOf";

type Props = {
  drawn: Drawn;
  start: string | undefined;
  onSelect: (id: string) => void;
  onOpen: (id: string) => void;
};

/** The same graph as a tree: what something was made from, and below that what was made from it. */
export function Tree({ drawn, start, onSelect, onOpen }: Props) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const items = useMemo(() => treeOf(drawn, start, closed), [drawn, start, closed]);
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const here = Math.min(active, items.length - 1);
  const go = (position: number) => {
    const next = Math.min(items.length - 1, Math.max(0, position));
    setActive(next);
    list.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[next]?.focus();
  };
  const toggle = (item: Item, isOpen: boolean) =>
    setClosed(isOpen ? new Set([...closed].filter((key) => key !== item.key)) : new Set([...closed, item.key]));
  const onKeyDown = (event: KeyboardEvent, item: Item, position: number) => {
    if (event.key === "ArrowDown") go(position + 1);
    else if (event.key === "ArrowUp") go(position - 1);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(items.length - 1);
    else if (event.key === "ArrowRight") item.isOpen === false ? toggle(item, true) : go(position + 1);
    else if (event.key === "ArrowLeft")
      item.isOpen ? toggle(item, false) : go(items.findLastIndex((each, i) => i < position && each.level < item.level));
    else if (event.key === " ") onSelect(item.id);
    else if (event.key === "Enter") onOpen(item.id);
    else return;
    event.preventDefault();
  };
  return (
    <nav className={styles.pane} aria-label="Lineage as a tree">
      <div ref={list} role="tree" aria-label="Lineage" className={styles.tree}>
        {items.map((item, position) => (
          <div
            key={item.key}
            role="treeitem"
            className={styles.item}
            aria-level={item.level}
            aria-expanded={item.isOpen}
            aria-selected={item.id === start}
            tabIndex={position === here ? 0 : -1}
            style={{ paddingLeft: 8 + (item.level - 1) * 14 }}
            onClick={() => {
              setActive(position);
              onSelect(item.id);
            }}
            onDoubleClick={() => onOpen(item.id)}
            onKeyDown={(event) => onKeyDown(event, item, position)}
          >
            <span className={styles.side}>{item.side === "up" ? "from" : item.side === "down" ? "into" : ""}</span>
            <span className={styles.title}>{item.node.title}</span>
            {item.node.isDoubtful && (
              <span className={styles.doubt}>
                <Icon name="warn" size={12} />
                <span className="visually-hidden">doubtful</span>
              </span>
            )}
            <span className={styles.detail}>{item.node.detail}</span>
          </div>
        ))}
      </div>
    </nav>
  );
}
