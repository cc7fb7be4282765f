import type { Schemas } from "../api/client";

export type Item = Schemas["PageItemView"];
export type Placed = Pick<Item, "x" | "y" | "width" | "height">;

export const COLUMNS = 12;
/** The height of a row and the room between items, in pixels. */
export const ROW = 40;
export const GAP = 12;
const TALLEST = 200;

/** What tells an item from all others of the page. */
export function keyOf(item: Pick<Item, "cell" | "shows" | "name">): string {
  return `${item.cell} ${item.shows} ${item.name.toLowerCase()}`;
}

/** The items in reading order, with those moved down that would cover others; the first one stays. */
export function settle<I extends Placed>(items: I[], first?: I): I[] {
  const placed: I[] = [];
  const order = [...items].sort((one, other) => Number(other === first) - Number(one === first) || inOrder(one, other));
  for (const each of order) {
    let item = each;
    for (;;) {
      const below = placed.filter((other) => cover(item, other)).map(({ y, height }) => y + height);
      if (below.length === 0) break;
      item = { ...item, y: Math.min(...below) };
    }
    placed.push(item);
  }
  return placed.sort(inOrder);
}

/** The place of an item after a step in columns and rows, kept on the grid. */
export function moved<P extends Placed>(item: P, columns: number, rows: number): P {
  return {
    ...item,
    x: Math.min(Math.max(item.x + columns, 0), COLUMNS - item.width),
    y: Math.max(item.y + rows, 0),
  };
}

/** The same of its lower right corner. */
export function resized<P extends Placed>(item: P, columns: number, rows: number): P {
  return {
    ...item,
    width: Math.min(Math.max(item.width + columns, 1), COLUMNS - item.x),
    height: Math.min(Math.max(item.height + rows, 1), TALLEST),
  };
}

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** What a key does to an item: arrows move it, with Shift they resize it. */
export function afterKey<P extends Placed>(item: P, key: string, isShift: boolean): P | undefined {
  const step = STEPS[key];
  return step && (isShift ? resized : moved)(item, ...step);
}

/** The page after one of its items changed. */
export function withItem(items: Item[], changed: Item): Item[] {
  return settle([...items.filter((each) => keyOf(each) !== keyOf(changed)), changed], changed);
}

/** The first row below all items. */
export function bottomOf(items: Placed[]): number {
  return Math.max(0, ...items.map(({ y, height }) => y + height));
}

/** Where a new item goes: beside the last one if that is as high and leaves room, else below all items. */
export function placeOfNew(items: Placed[], width: number, height: number): Placed {
  const last = items.toSorted(inOrder).at(-1);
  const beside = last && { x: last.x + last.width, y: last.y, width, height };
  const fits =
    beside !== undefined &&
    last?.height === height &&
    beside.x + width <= COLUMNS &&
    !items.some((other) => cover(beside, other));
  return fits ? beside : { x: 0, y: bottomOf(items), width, height };
}

/** Where an item is, in words. */
export function placeWords({ x, y, width, height }: Placed): string {
  return `column ${x + 1}, row ${y + 1}, ${width} wide, ${height} high`;
}

function inOrder(one: Placed, other: Placed): number {
  return one.y - other.y || one.x - other.x;
}

function cover(one: Placed, other: Placed): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
