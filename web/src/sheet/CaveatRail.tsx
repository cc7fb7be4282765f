import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type MouseEvent, useEffect, useRef } from "react";
import { number } from "../text/words";
import { type Density, fetchDensity } from "./api";
import styles from "./CaveatRail.module.css";
import type { SheetSession } from "./SheetSession";

type Props = { session: SheetSession; top: number; visible: number; onJump: (row: number) => void };

/** The whole table as a narrow strip: red where cells are doubtful, blue where they were edited; a click goes there. */
export function CaveatRail({ session, top, visible, onJump }: Props) {
  const density = useQuery({
    queryKey: ["sheet density", session.id, session.revision, session.where],
    enabled: session.unsent === 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => fetchDensity(session.id, session.where, signal),
  }).data;
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = document.documentElement.dataset.theme;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    if (canvas.current && density) paint(canvas.current, density);
  }, [density, theme]);
  const total = Math.max(1, session.count);
  const height = Math.max(0.004, Math.min(1, visible / total));
  const upper = Math.min(top / total, 1 - height);
  const jump = (event: MouseEvent<HTMLElement>) => {
    const rail = event.currentTarget.getBoundingClientRect();
    onJump(Math.min(total - 1, Math.floor(((event.clientY - rail.top) / rail.height) * total)));
  };
  return (
    <button
      type="button"
      className={styles.rail}
      tabIndex={-1}
      aria-label={density ? told(density) : "Where doubtful cells and edits lie"}
      title="Where doubtful cells (red) and edits (blue) lie; click to go there"
      onClick={jump}
    >
      <canvas ref={canvas} className={styles.canvas} width={16} height={800} />
      <span className={styles.view} style={{ top: `${upper * 100}%`, height: `${height * 100}%` }} />
    </button>
  );
}

function told({ doubts, edits }: Density): string {
  const sum = (counts: number[]) => number(counts.reduce((one, other) => one + other, 0));
  return `Whole table: ${sum(doubts)} doubtful and ${sum(edits)} edited cells`;
}

function paint(canvas: HTMLCanvasElement, { rows, starts, doubts, edits }: Density): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const style = getComputedStyle(canvas);
  context.clearRect(0, 0, canvas.width, canvas.height);
  const most = Math.max(1, ...doubts);
  starts.forEach((start, i) => {
    const end = starts[i + 1] ?? rows;
    const y = (start / rows) * canvas.height;
    const height = Math.max(2, ((end - start) / rows) * canvas.height);
    const doubtful = doubts[i] ?? 0;
    if (doubtful > 0) {
      context.globalAlpha = 0.35 + 0.65 * (doubtful / most);
      context.fillStyle = style.borderTopColor;
      context.fillRect(0, y, 10, height);
    }
    if ((edits[i] ?? 0) > 0) {
      context.globalAlpha = 1;
      context.fillStyle = style.outlineColor;
      context.fillRect(10, y, 6, height);
    }
  });
}
