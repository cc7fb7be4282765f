import { useEffect, useRef, useState } from "react";
import type { Dataset } from "../api/client";
import { type Direction, fetchDoubt } from "../api/queries";
import { isKey } from "../state/keymap";
import { goTo, type Place } from "../state/place";
import { toggleRail } from "../state/rail";
import { rowWords } from "../text/cellName";
import { currentRegion, cycleRegions, focusRegion } from "./regions";

type Page = {
  dataset: Dataset | undefined;
  place: Place;
  isInspecting: boolean;
  onInspect: (open: boolean) => void;
  onHelp: () => void;
  onSearch: () => void;
};

/** Keys that work everywhere on the page; the result is what screen readers are told. */
export function useShortcuts(page: Page): string {
  const [announcement, announce] = useState("");
  const latest = useRef(page);
  latest.current = page;

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) return;
      if (handle(event, latest.current, announce)) event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);

  // Opening a source row removes the button that was pressed; the focus goes on to the row.
  const name = page.dataset?.name;
  const hasSelection = page.place.row !== undefined;
  useEffect(() => {
    if (name !== undefined && hasSelection && hasNoFocus()) focusRegion("data");
  }, [name, hasSelection]);
  return announcement;
}

function handle(event: KeyboardEvent, page: Page, announce: (text: string) => void): boolean {
  if (isTyping(event.target) && !/^F\d+$/.test(event.key) && !(event.ctrlKey || event.metaKey)) return false;
  if (isKey(event, "nextDoubt")) void jump(page, "next", announce);
  else if (isKey(event, "previousDoubt")) void jump(page, "previous", announce);
  else if (isKey(event, "nextRegion")) cycleRegions(1);
  else if (event.shiftKey && isKey({ ...pressed(event), shiftKey: false }, "nextRegion")) cycleRegions(-1);
  else if (isKey(event, "help")) page.onHelp();
  else if (isKey(event, "search")) page.onSearch();
  else if (isKey(event, "rail")) toggleRail();
  else if (isKey(event, "inspector")) page.onInspect(!page.isInspecting);
  else if (event.key === "Escape") backOut(page);
  else if (event.key.startsWith("Arrow") && hasNoFocus()) enterGrid(page);
  else return false;
  return true;
}

function pressed({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) {
  return { key, ctrlKey, metaKey, altKey, shiftKey };
}

/** Go to the next doubtful cell of the dataset. */
export async function jump(page: Page, direction: Direction, announce: (text: string) => void): Promise<void> {
  const { dataset, place } = page;
  if (dataset === undefined) return;
  const { row, column } = place;
  const from = row !== undefined && column !== undefined ? { row, column } : undefined;
  const found = await fetchDoubt(dataset, from, direction).catch((error: Error) => error);
  if (found instanceof Error) return announce(found.message);
  if (found === null) return announce(`Nothing in ${dataset.name} is doubtful.`);
  goTo({ dataset: dataset.name, row: found.row, column: found.column });
  announce(`Doubtful: ${rowWords(found.row)}, ${found.column}.${found.wrapped ? " Went round the end." : ""}`);
  if (currentRegion() !== "inspector") focusRegion("data");
}

/** Keys that write something belong to the field they are pressed in. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [data-editor]");
}

function hasNoFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Arrow keys work at once, without a click into the grid first. */
function enterGrid({ dataset, place }: Page): void {
  const column = dataset?.columns[0]?.name;
  if (dataset && column !== undefined && dataset.rows > 0 && place.row === undefined)
    goTo({ dataset: dataset.name, row: 0, column });
  focusRegion("data");
}

/** One level back: from the inspector to the grid, then the selection goes. */
function backOut({ dataset, place }: Page): void {
  if (currentRegion() === "inspector") focusRegion("data");
  else if (dataset && place.row !== undefined)
    goTo({ dataset: dataset.name, ...(place.filter !== undefined && { filter: place.filter }) });
}
