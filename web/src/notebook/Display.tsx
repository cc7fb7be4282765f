import { useEffect, useRef, useState } from "react";
import type { Schemas } from "../api/client";
import { Chart } from "../chart/Chart";
import { FittedChart } from "../chart/FittedChart";
import type { Json } from "../chart/themed";
import { useColours } from "../state/theme";
import { ScrollingText } from "../ui/ScrollingText";
import styles from "./Display.module.css";
import { KnownRowsTable } from "./KnownRowsTable";
import { Preview } from "./Preview";
import { knownRows, shownDataset } from "./shownData";

type Props = {
  display: Schemas["DisplayView"];
  label: string;
  /** It is a note: who clicks it means the cell. */
  isNote: boolean;
  /** A chart takes the width of its place, not that of its specification. */
  isFitted?: boolean;
  onMark?: ((mark: number) => void) | undefined;
  /** Leads to the origin of a value of a dataset that is shown. */
  onCell?: ((dataset: string, row: number, column: string) => void) | undefined;
};

/** One output of a cell. Whatever could run or restyle the page is shown in a sandboxed frame only. */
export function Display({ display, label, isNote, isFitted = false, onMark, onCell }: Props) {
  if (display.stream)
    return (
      <ScrollingText label="Printed text" className={styles.text} stream={display.stream}>
        {display.text}
      </ScrollingText>
    );
  const data = display.data ?? {};
  for (const kind of ["image/png", "image/jpeg", "image/gif"]) {
    const image = data[kind];
    if (typeof image === "string")
      return <img className={styles.image} src={`data:${kind};base64,${image.replace(/\s/g, "")}`} alt="Output" />;
  }
  const vega = Object.keys(data).find((kind) => kind.startsWith("application/vnd.vegalite."));
  const Picture = isFitted ? FittedChart : Chart;
  if (vega) return <Picture spec={data[vega] as Json} label={label} onMark={onMark} />;
  const known = knownRows(data);
  if (known) return <KnownRowsTable known={known} onCell={(row, column) => onCell?.(known.dataset, row, column)} />;
  const dataset = shownDataset(data);
  if (dataset)
    return <Preview isFolded={false} dataset={dataset} onCell={(row, column) => onCell?.(dataset.name, row, column)} />;
  if (display.frame) return <Frame address={display.frame} isNote={isNote} />;
  return (
    <ScrollingText label="Output as text" className={styles.text}>
      {String(data["text/plain"] ?? JSON.stringify(data))}
    </ScrollingText>
  );
}

const TALLEST = 640;

/** A document of its own; it says how tall it is, and nothing else of what it says is listened to. */
function Frame({ address, isNote }: { address: string; isNote: boolean }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const colours = useColours();
  const [height, setHeight] = useState(120);
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent<{ whenceHeight?: unknown } | null>) => {
      const told = data?.whenceHeight;
      if (source === frame.current?.contentWindow && typeof told === "number" && told > 0)
        setHeight(Math.min(told, TALLEST));
    };
    window.addEventListener("message", hear);
    return () => window.removeEventListener("message", hear);
  }, []);
  useEffect(() => {
    // In the frame of a note no key would do anything, so the focus goes on to the cell around it.
    // Only after the click is done with: before, the browser would move the focus into the frame again.
    const onBlur = () =>
      setTimeout(() => {
        if (!isNote || document.activeElement !== frame.current) return;
        window.focus();
        frame.current?.closest<HTMLElement>("[data-cell]")?.focus();
      });
    window.addEventListener("blur", onBlur);
    return () => window.removeEventListener("blur", onBlur);
  }, [isNote]);
  return (
    <iframe
      ref={frame}
      tabIndex={isNote ? -1 : undefined}
      className={styles.frame}
      style={{ height }}
      src={`${address}&theme=${colours}`}
      sandbox="allow-scripts"
      title="Output of the cell"
    />
  );
}
