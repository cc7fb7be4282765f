import { useEffect, useRef, useState } from "react";
import { useColours } from "../state/theme";
import { Notice } from "../ui/Notice";
import { useScrolls } from "../ui/useScrolls";
import styles from "./Chart.module.css";
import { LegendButtons } from "./LegendButtons";
import type { Legend } from "./legend";
import { type Json, lookOf } from "./themed";

type Props = { spec: Json; label: string; onMark?: ((mark: number) => void) | undefined };

/** A chart the server has computed; every mark that is clicked says which row of the mark table it is. */
export function Chart({ spec, label, onMark }: Props) {
  const frame = useRef<HTMLElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const { scrolls, measure } = useScrolls(frame);
  const [legend, setLegend] = useState<Legend>();
  const [drawn, setDrawn] = useState(0);
  const colours = useColours();
  const [problem, setProblem] = useState<string>();
  const picked = useRef(onMark);
  picked.current = onMark;

  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again when the page changes its colours
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let finish: (() => void) | undefined;
    let isGone = false;
    // Vega is large: only a page with a chart fetches it.
    import("./draw")
      .then(({ draw }) => draw(element, spec, lookOf(element), label, (mark) => picked.current?.(mark)))
      .then((view) => {
        if (isGone) view.finalize();
        else {
          finish = () => view.finalize();
          setLegend(view.legend);
          setDrawn((count) => count + 1);
        }
        setProblem(undefined);
      })
      .catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
    return () => {
      isGone = true;
      finish?.();
    };
  }, [spec, label, colours]);

  // After each drawing, once the buttons of its legend stand where they are now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is measured anew after each drawing
  useEffect(() => {
    const frame = requestAnimationFrame(measure);
    return () => cancelAnimationFrame(frame);
  }, [measure, drawn]);

  if (problem) return <Notice title={`The chart cannot be drawn: ${problem}`} isError />;
  return (
    <figure
      ref={frame}
      className={styles.chart}
      data-picks={onMark !== undefined || undefined}
      aria-label={label}
      // Arrow keys scroll what is wider than the page.
      tabIndex={scrolls ? 0 : undefined}
    >
      <div className={styles.picture}>
        <div ref={host} />
        <LegendButtons legend={legend} />
      </div>
    </figure>
  );
}
