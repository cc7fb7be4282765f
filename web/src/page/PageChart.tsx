import { useMemo, useRef } from "react";
import type { Schemas } from "../api/client";
import { Chart } from "../chart/Chart";
import type { Json } from "../chart/themed";
import { BrushedChart } from "../charts/BrushedChart";
import type { Brushes } from "../charts/useBrushes";
import styles from "./Page.module.css";
import { sized } from "./sized";
import { useSize } from "./useSize";

type Props = {
  display: Schemas["DisplayView"] | undefined;
  marks: string;
  /** The item has a title of its own, so the chart needs none. */
  hasTitle: boolean;
  brushes: Brushes | undefined;
  onMark: (mark: number) => void;
};

/** A chart as large as its place; where charts are linked it can be brushed and follows the others. */
export function PageChart({ display, marks, hasTitle, brushes, onMark }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const size = useSize(host);
  const place = brushes?.charts.findIndex((each) => each.marks.name === marks) ?? -1;
  const linked = brushes?.charts[place];
  const spec = linked?.vega ?? (specOf(display) as Json | undefined);
  const titled = useMemo(
    () => spec && { ...spec, title: hasTitle ? undefined : (spec.title ?? marks) },
    [spec, hasTitle, marks],
  );
  const hasLegend = (linked?.colors.length ?? 0) > 1;
  const fitted = useMemo(
    () => titled && sized(titled, size && { width: size.width - 4, height: size.height - (hasLegend ? 34 : 4) }),
    [titled, size, hasLegend],
  );
  return (
    <div ref={host} className={styles.chart}>
      {fitted === undefined || size === undefined ? null : brushes && linked ? (
        <BrushedChart brushes={brushes} place={place} spec={fitted} onMark={onMark} />
      ) : (
        <Chart spec={fitted} label={`Chart ${marks}`} onMark={onMark} />
      )}
    </div>
  );
}

function specOf(display: Schemas["DisplayView"] | undefined): unknown {
  const data = display?.data ?? {};
  return data[Object.keys(data).find((kind) => kind.startsWith("application/vnd.vegalite.")) ?? ""];
}
