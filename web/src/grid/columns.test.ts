import { expect, it } from "vitest";
import { layOut, revealColumn, totalWidth, visibleColumns } from "./columns";

const columns = Array.from({ length: 1000 }, (_, i) => ({ name: `c${i}`, type: "string" }));
const tracks = layOut(columns, [], [], 50);

it("lays columns side by side after the gutter", () => {
  expect(tracks[0]?.left).toBe(50);
  expect(tracks[1]?.left).toBe(50 + (tracks[0]?.width ?? 0));
  expect(totalWidth(tracks, 50)).toBe(50 + tracks.reduce((sum, track) => sum + track.width, 0));
});

it("widens a column for its values, within limits", () => {
  const width = (text: string) => layOut([{ name: "a", type: "int" }], [[text]], [], 0)[0]?.width ?? 0;
  expect(width("x".repeat(20))).toBeGreaterThan(width("x"));
  expect(width("x".repeat(5000))).toBe(320);
});

it("draws only the columns in view", () => {
  const { first, end } = visibleColumns(tracks, 8800, 8800 + 1000);
  expect(end - first).toBeLessThan(15);
  expect(tracks[first]?.left).toBeLessThanOrEqual(8800);
  expect((tracks[end - 1]?.left ?? 0) + (tracks[end - 1]?.width ?? 0)).toBeGreaterThanOrEqual(9800);
});

it("scrolls sideways just far enough", () => {
  const track = { left: 500, width: 100 };
  expect(revealColumn(track, 50, 480, 400)).toBe(450);
  expect(revealColumn(track, 50, 0, 400)).toBe(200);
  expect(revealColumn(track, 50, 300, 400)).toBe(300);
});
