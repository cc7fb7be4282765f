import { useMemo, useRef } from "react";
import { useSize } from "../page/useSize";
import { Chart } from "./Chart";
import { fittedTo } from "./fitted";
import type { Json } from "./themed";

type Props = { spec: Json; label: string; onMark?: ((mark: number) => void) | undefined };

/** A chart as wide as its place. */
export function FittedChart({ spec, label, onMark }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const width = useSize(host)?.width;
  const fitted = useMemo(() => fittedTo(spec, width), [spec, width]);
  return <div ref={host}>{width !== undefined && <Chart spec={fitted} label={label} onMark={onMark} />}</div>;
}
