import { type FocusEvent, type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { useSearch } from "../state/place";
import { closeDrawer } from "../state/rail";
import styles from "./RailDrawer.module.css";

/** The rail over the page: it closes when something in it is opened, when the focus leaves it, and by Escape. */
export function RailDrawer({ children }: { children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  const search = useSearch();
  const opened = useRef(search);
  useEffect(() => {
    if (opened.current !== search) closeDrawer();
  }, [search]);

  useEffect(() => {
    const before = document.activeElement;
    root.current?.querySelector<HTMLElement>('[aria-current="true"], a, button')?.focus();
    return () => {
      const isElsewhere = document.activeElement !== null && document.activeElement !== document.body;
      if (before instanceof HTMLElement && !isElsewhere) before.focus();
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    closeDrawer();
  };
  const onBlur = ({ relatedTarget: next }: FocusEvent) => {
    // Menus and dialogs of an entry stand elsewhere in the page.
    const isOwn =
      next === null || root.current?.contains(next) || next.closest('[role="menu"], dialog, header') !== null;
    if (!isOwn) closeDrawer();
  };
  const onClick = (event: MouseEvent) => {
    // The entry of what is open already leads nowhere else.
    if ((event.target as HTMLElement).closest("a[href]")) closeDrawer();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys and clicks belong to the links inside
    <div ref={root} className={styles.drawer} onKeyDown={onKeyDown} onBlur={onBlur} onClick={onClick}>
      {children}
      <button type="button" className={styles.rest} aria-label="Close the rail" onClick={closeDrawer} />
    </div>
  );
}
