import type { Schemas } from "../api/client";

type Version = Pick<Schemas["VersionView"], "version" | "parent" | "branch" | "is_side">;

export type Spot = { version: number; row: number; lane: number };
export type Line = { from: Spot; to: Spot };
export type Lanes = { spots: Spot[]; lines: Line[]; width: number };

/**
 * Where each version stands in a drawing of the history, newest on top: a lane for each branch in the order they came to
 * be, one more beside it for edits that were kept aside, and a line from each version to the one it followed.
 */
export function layOutHistory(newestFirst: Version[]): Lanes {
  const order: string[] = [];
  for (const each of [...newestFirst].reverse()) if (!order.includes(laneOf(each))) order.push(laneOf(each));
  const spots = newestFirst.map((each, row) => ({ version: each.version, row, lane: order.indexOf(laneOf(each)) }));
  const known = new Map(spots.map((spot) => [spot.version, spot]));
  const lines = newestFirst.flatMap((each) => {
    const [to, from] = [known.get(each.version), each.parent === null ? undefined : known.get(each.parent)];
    return to && from ? [{ from, to }] : [];
  });
  return { spots, lines, width: Math.max(1, order.length) };
}

function laneOf({ branch, is_side }: Version): string {
  return is_side ? `${branch} aside` : branch;
}
