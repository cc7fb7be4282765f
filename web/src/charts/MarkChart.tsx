import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { LegendButtons } from "../chart/LegendButtons";
import type { Legend } from "../chart/legend";
import { type Json, lookOf } from "../chart/themed";
import { useColours } from "../state/theme";
import { Notice } from "../ui/Notice";
import { type Band, bandOf, marksIn, panelAt, type Rect, stretched, within } from "./boxes";
import type { Box, MarkPicture, Rows } from "./drawMarks";
import styles from "./MarkChart.module.css";

export type Ring = "selected" | "outlier" | "fine";

type Props = {
  spec: Json;
  label: string;
  /** All marks are drawn in grey, with these over them; undefined means the original ones. */
  rows?: Rows | undefined;
  isOverlaid?: boolean;
  rings?: ReadonlyMap<number, Ring> | undefined;
  cursor?: number | undefined;
  /** What a key does that is no arrow; true if it did something. */
  onKey?: (key: string, mark: number | undefined) => boolean;
  onCursor?: (mark: number) => void;
  /** A click on a mark, or beside all of them. */
  onPick: (mark: number | undefined, isAdding: boolean) => void;
  /** A drag: the marks it covers by now, and whether it has ended. */
  onBrush?: (marks: number[], isDone: boolean, isAdding: boolean) => void;
  /** A drag that draws: the mark below the pointer and what the axis says at its height. */
  onDraw?: ((mark: number, value: number) => void) | undefined;
  onEnter?: () => void;
};

type Point = { x: number; y: number };
const MOVED = 4;

/** A chart whose marks can be clicked, brushed and walked by keys; what is selected is ringed. */
export function MarkChart(props: Props) {
  const { spec, label, rows, isOverlaid = false, rings, cursor } = props;
  const host = useRef<HTMLDivElement>(null);
  const picture = useRef<MarkPicture>(undefined);
  const colours = useColours();
  const [boxes, setBoxes] = useState<Box[]>([]);
  const [legend, setLegend] = useState<Legend>();
  const [problem, setProblem] = useState<string>();
  const [drag, setDrag] = useState<{ from: Point; to: Point }>();
  const latest = useRef(props);
  latest.current = props;

  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again when the page changes its colours
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let isGone = false;
    // Vega is large: only a page with a chart fetches it.
    import("./drawMarks")
      .then(({ drawMarks }) => drawMarks(element, spec, { look: lookOf(element), label, isOverlaid }))
      .then(async (made) => {
        if (isGone) return made.finalize();
        picture.current = made;
        setProblem(undefined);
        await made.show(latest.current.rows);
        setBoxes(made.boxes());
        setLegend(made.legend);
      })
      .catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
    return () => {
      isGone = true;
      picture.current?.finalize();
      picture.current = undefined;
    };
  }, [spec, label, isOverlaid, colours]);

  // A picture that is made to fit the page has its marks elsewhere.
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const observer = new ResizeObserver(() => picture.current && setBoxes(picture.current.boxes()));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const made = picture.current;
    // An axis may have moved, and the marks with it.
    void made?.show(rows).then(() => picture.current === made && setBoxes(made.boxes()));
  }, [rows]);

  const at = (event: PointerEvent): Point => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const band: Band = bandOf(spec);
  const brushed = (from: Point, to: Point) => {
    const panels = picture.current?.panels() ?? [];
    return within(stretched(from, to, band), panels.length > 1 ? panelAt(panels, from) : undefined);
  };
  const covered = (from: Point, to: Point) => marksIn(boxes, brushed(from, to));
  const draw = (point: Point) => {
    const below = boxes.find(({ x, width }) => point.x >= x - 2 && point.x <= x + width + 2);
    const value = picture.current?.valueAt(point.y);
    if (below && value !== undefined) props.onDraw?.(below.mark, value);
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    setDrag({ from: at(event), to: at(event) });
  };
  const onPointerMove = (event: PointerEvent) => {
    if (!drag || !(event.buttons & 1)) return;
    const to = at(event);
    if (props.onDraw) draw(to);
    if (!event.currentTarget.hasPointerCapture(event.pointerId) && isMoved(drag.from, to))
      event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ from: drag.from, to });
    if (!props.onDraw && isMoved(drag.from, to)) props.onBrush?.(covered(drag.from, to), false, event.shiftKey);
  };
  const onPointerUp = (event: PointerEvent) => {
    if (!drag) return;
    const to = at(event);
    setDrag(undefined);
    if (props.onDraw) draw(to);
    else if (props.onBrush && isMoved(drag.from, to)) props.onBrush(covered(drag.from, to), true, event.shiftKey);
    else props.onPick(picture.current?.markAt(event.target), event.shiftKey || event.ctrlKey || event.metaKey);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = moved(boxes, cursor, event.key);
    if (next !== undefined) {
      props.onCursor?.(next);
      if (event.shiftKey) props.onPick(next, true);
    } else if (event.key === " " && cursor !== undefined) props.onPick(cursor, true);
    else if (event.key === "Enter" && cursor !== undefined) props.onPick(cursor, false);
    else if (!props.onKey?.(event.shiftKey && event.key === "Escape" ? "Shift+Escape" : event.key, cursor)) return;
    event.preventDefault();
  };

  if (problem) return <Notice title={`The chart cannot be drawn: ${problem}`} isError />;
  const brush = drag && !props.onDraw && props.onBrush && isMoved(drag.from, drag.to) ? drag : undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a set of fields is something else than a picture with marks in it
    <div
      className={styles.frame}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys walk the marks
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerEnter={props.onEnter}
      onFocus={props.onEnter}
    >
      <div
        className={styles.picture}
        data-drawing={props.onDraw !== undefined || undefined}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
      >
        <div ref={host} />
        <LegendButtons legend={legend} onShown={() => picture.current && setBoxes(picture.current.boxes())} />
        {brush && <div className={styles.brush} style={placed(brushed(brush.from, brush.to))} />}
        {boxes.map((box) => {
          const ring = rings?.get(box.mark);
          return (
            (ring || box.mark === cursor) && (
              <span
                key={box.mark}
                className={styles.ring}
                data-ring={ring}
                data-cursor={box.mark === cursor || undefined}
                style={around(box)}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

function isMoved(from: Point, to: Point): boolean {
  return Math.abs(from.x - to.x) > MOVED || Math.abs(from.y - to.y) > MOVED;
}

/** The mark an arrow leads to: the next by number, since marks are numbered in drawing order. */
function moved(boxes: Box[], cursor: number | undefined, key: string): number | undefined {
  const marks = boxes.map(({ mark }) => mark).sort((one, other) => one - other);
  const here = cursor === undefined ? -1 : marks.indexOf(cursor);
  if (key === "ArrowRight" || key === "ArrowDown") return marks[Math.min(here + 1, marks.length - 1)];
  if (key === "ArrowLeft" || key === "ArrowUp") return marks[Math.max(here - 1, 0)];
  if (key === "Home") return marks[0];
  return key === "End" ? marks.at(-1) : undefined;
}

function placed({ left, top, right, bottom }: Rect) {
  return {
    left: Number.isFinite(left) ? left : 0,
    top: Number.isFinite(top) ? top : 0,
    ...(Number.isFinite(right) ? { width: right - left } : { right: 0 }),
    ...(Number.isFinite(bottom) ? { height: bottom - top } : { bottom: 0 }),
  };
}

function around({ x, y, width, height }: Box) {
  return { left: x - 2, top: y - 2, width: Math.max(width, 2) + 4, height: Math.max(height, 2) + 4 };
}
