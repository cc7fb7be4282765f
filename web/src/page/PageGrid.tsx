import { useRef } from "react";
import type { Notebook } from "../api/notebooks";
import { titleOf } from "../notebook/title";
import { COLUMNS, GAP, type Item, keyOf } from "./grid";
import { ItemContent, type Linked } from "./ItemContent";
import { ItemFrame } from "./ItemFrame";
import styles from "./Page.module.css";
import type { useArrangement } from "./useArrangement";

type Props = {
  notebook: Notebook;
  items: Item[];
  linked: Linked | undefined;
  /** How the page is arranged; undefined where it is only looked at. */
  arrangement: ReturnType<typeof useArrangement> | undefined;
  onSet: (values: Record<string, unknown>) => void;
};

/** The items in reading order on their grid; where there is no room for columns, one below the other. */
export function PageGrid({ notebook, items, linked, arrangement, onSet }: Props) {
  const grid = useRef<HTMLDivElement>(null);
  const columnWidth = () => ((grid.current?.clientWidth ?? 0) + GAP) / COLUMNS;
  return (
    <div ref={grid} className={styles.grid} data-arranged={arrangement !== undefined || undefined}>
      {items.map((item) => {
        const label = labelOf(item, notebook);
        const isBusy = ["stale", "waiting", "running"].includes(statusOf(item, notebook));
        const content = <ItemContent notebook={notebook} item={item} label={label} linked={linked} onSet={onSet} />;
        return (
          <section
            key={keyOf(item)}
            className={styles.item}
            data-shows={item.shows}
            data-old={isBusy || undefined}
            aria-label={label}
            style={{
              gridColumn: `${item.x + 1} / span ${item.width}`,
              gridRow: `${item.y + 1} / span ${item.height}`,
            }}
          >
            {arrangement ? (
              <ItemFrame
                item={item}
                label={label}
                columnWidth={columnWidth}
                onChange={(next, isDone, isByKey) => arrangement.place(next, isDone, isByKey)}
                onCancel={arrangement.cancel}
                onTitle={(title) => arrangement.title(item, title)}
                onRemove={() => arrangement.remove(item)}
              >
                {content}
              </ItemFrame>
            ) : (
              <>
                {item.shows !== "input" && item.title && <h2 className={styles.heading}>{item.title}</h2>}
                <div className={styles.body}>{content}</div>
              </>
            )}
          </section>
        );
      })}
    </div>
  );
}

/** What an item is called: its title, else what it shows. */
function labelOf(item: Item, notebook: Notebook): string {
  if (item.title) return item.title;
  if (item.name) return item.name;
  const cell = notebook.cells.find(({ id }) => id === item.cell);
  return cell ? titleOf(cell) : item.cell;
}

function statusOf(item: Item, notebook: Notebook): string {
  return notebook.cells.find(({ id }) => id === item.cell)?.status ?? "";
}
