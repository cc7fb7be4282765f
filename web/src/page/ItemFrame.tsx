import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { Icon } from "../ui/Icon";
import { afterKey, GAP, type Item, moved, placeWords, ROW, resized } from "./grid";
import styles from "./Page.module.css";

type Props = {
  item: Item;
  label: string;
  /** The width of a column and the room beside it, as it is on the screen. */
  columnWidth: () => number;
  /** The item changes; `isDone` once the pointer is up, or with every key. */
  onChange: (item: Item, isDone: boolean, isByKey: boolean) => void;
  /** A drag ended where it began. */
  onCancel: () => void;
  onTitle: (title: string) => void;
  onRemove: () => void;
  children: ReactNode;
};

type Drag = { x: number; y: number; item: Item; change: typeof moved };

/** An item while the page is arranged: its frame moves it, its corner resizes it, and what it shows takes no clicks. */
export function ItemFrame({ item, label, columnWidth, onChange, onCancel, onTitle, onRemove, children }: Props) {
  const drag = useRef<Drag>(undefined);
  const [isDragged, setDragged] = useState(false);
  const begin = (change: typeof moved) => (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    (event.currentTarget as HTMLElement).focus();
    drag.current = { x: event.clientX, y: event.clientY, item, change };
    setDragged(true);
  };
  const changed = ({ clientX, clientY }: PointerEvent) => {
    const from = drag.current;
    if (!from) return undefined;
    const columns = Math.round((clientX - from.x) / columnWidth());
    const rows = Math.round((clientY - from.y) / (ROW + GAP));
    return from.change(from.item, columns, rows);
  };
  const onPointerMove = (event: PointerEvent) => {
    const next = changed(event);
    if (next && !isSame(next, item)) onChange(next, false, false);
  };
  const onPointerUp = (event: PointerEvent) => {
    const next = changed(event);
    const before = drag.current?.item;
    drag.current = undefined;
    setDragged(false);
    if (next && before && !isSame(next, before)) onChange(next, true, false);
    else onCancel();
  };
  const onKeyDown = (isCorner: boolean) => (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Delete" && !isCorner) onRemove();
    else {
      const next = afterKey(item, event.key, event.shiftKey || isCorner);
      if (!next) return;
      if (!isSame(next, item)) onChange(next, true, true);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const dragging = { onPointerMove, onPointerUp, onPointerCancel: onPointerUp };
  return (
    <div className={styles.frame} data-dragged={isDragged || undefined}>
      <div className={styles.bar}>
        <button
          type="button"
          className={styles.grip}
          aria-label={`Move ${label}: ${placeWords(item)}`}
          title="Drag to move. Arrow keys move, Shift and arrow keys resize, Delete removes."
          onPointerDown={begin(moved)}
          onKeyDown={onKeyDown(false)}
          {...dragging}
        >
          <Icon name="grip" />
        </button>
        <input
          key={item.title}
          className={styles.title}
          defaultValue={item.title}
          placeholder={label}
          aria-label={`Title of ${label}`}
          maxLength={200}
          onBlur={(event) => event.target.value !== (item.title ?? "") && onTitle(event.target.value)}
          onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
        />
        <button type="button" className="icon-button" aria-label={`Remove ${label} from the page`} onClick={onRemove}>
          <Icon name="close" />
        </button>
      </div>
      <div className={styles.body} inert>
        {children}
      </div>
      <button
        type="button"
        className={styles.corner}
        aria-label={`Resize ${label}`}
        title="Drag to resize, or use the arrow keys."
        onPointerDown={begin(resized)}
        onKeyDown={onKeyDown(true)}
        {...dragging}
      >
        <Icon name="corner" size={14} />
      </button>
    </div>
  );
}

function isSame(one: Item, other: Item): boolean {
  return one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
}
