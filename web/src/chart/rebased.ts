import type { Json } from "./themed";

/** Marks that stand on each other, after some of them were left out: each stands where the one before it ends now. */
export function rebased(datasets: Record<string, Json[]>, piles: Record<string, string>): Record<string, Json[]> {
  const moved = new Map<unknown, { axis: string; by: number }>();
  for (const [name, axis] of Object.entries(piles)) {
    const tops = new Map<string, [number, number]>();
    for (const row of datasets[name] ?? []) {
      const [from, to] = [row[`${axis}2`], row[axis]];
      if (typeof from !== "number" || typeof to !== "number") continue;
      const key = axis === "y" ? "x" : "y";
      const place = JSON.stringify([row[key], row[`${key}2`]]);
      const ends = tops.get(place) ?? [0, 0];
      const side = to < from ? 1 : 0;
      moved.set(row._mark, { axis, by: ends[side] - from });
      ends[side] += to - from;
      tops.set(place, ends);
    }
  }
  const shifted = (row: Json): Json => {
    const move = moved.get(row._mark);
    if (!move) return row;
    const fields = [move.axis, `${move.axis}2`, "_from", "_to"].filter((field) => typeof row[field] === "number");
    return { ...row, ...Object.fromEntries(fields.map((field) => [field, (row[field] as number) + move.by])) };
  };
  return Object.fromEntries(Object.entries(datasets).map(([name, rows]) => [name, rows.map(shifted)]));
}
