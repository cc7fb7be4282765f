export type Cursor = { row: number; column: number };

type Extent = { rows: number; columns: number; pageRows: number };
type Key = { key: string; ctrlKey: boolean; metaKey: boolean };

/** Where a key takes the selection; undefined if the key is none of ours. */
export function move(cursor: Cursor | undefined, event: Key, extent: Extent): Cursor | undefined {
  const target = aim(cursor ?? { row: 0, column: 0 }, event, extent);
  if (target === undefined || extent.rows === 0 || extent.columns === 0) return undefined;
  if (cursor === undefined) return { row: 0, column: 0 };
  return { row: clamp(target.row, extent.rows), column: clamp(target.column, extent.columns) };
}

function aim({ row, column }: Cursor, { key, ctrlKey, metaKey }: Key, extent: Extent): Cursor | undefined {
  const toEdge = ctrlKey || metaKey;
  switch (key) {
    case "ArrowUp":
      return { row: toEdge ? 0 : row - 1, column };
    case "ArrowDown":
      return { row: toEdge ? extent.rows - 1 : row + 1, column };
    case "ArrowLeft":
      return { row, column: toEdge ? 0 : column - 1 };
    case "ArrowRight":
      return { row, column: toEdge ? extent.columns - 1 : column + 1 };
    case "PageUp":
      return { row: row - extent.pageRows, column };
    case "PageDown":
      return { row: row + extent.pageRows, column };
    case "Home":
      return { row: toEdge ? 0 : row, column: 0 };
    case "End":
      return { row: toEdge ? extent.rows - 1 : row, column: extent.columns - 1 };
    default:
      return undefined;
  }
}

function clamp(n: number, length: number): number {
  return Math.min(Math.max(0, n), length - 1);
}
