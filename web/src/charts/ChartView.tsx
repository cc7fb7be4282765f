import { useEffect, useMemo, useRef, useState } from "react";
import type { Dataset } from "../api/client";
import { useDatasets } from "../api/queries";
import type { Json } from "../chart/themed";
import { cellAt } from "../inspector/InspectedCell";
import { Inspector } from "../inspector/Inspector";
import { setParams, useParam } from "../state/params";
import { parsePlace, useSearch } from "../state/place";
import { Notice } from "../ui/Notice";
import { Skeleton } from "../ui/Skeleton";
import { useChart, useCost, useDrawn, useSuggestions } from "./api";
import styles from "./ChartView.module.css";
import { DrawnPane } from "./DrawnPane";
import { Shelves } from "./Shelves";
import { readSpec, sized } from "./shelves";

/** A dataset as a chart: shelves and the specification on the left, the picture, and the inspector of a mark. */
export default function ChartView() {
  const place = parsePlace(useSearch());
  const datasets = useDatasets();
  const [written] = useParam("spec");
  const opened = useChart(place.chart);
  useEffect(() => {
    if (place.chart !== undefined && opened.data)
      setParams({ chart: undefined, dataset: opened.data.source.name, spec: JSON.stringify(opened.data.spec) });
  }, [place.chart, opened.data]);
  const known = datasets.data?.filter(({ origin }) => origin !== "chart");
  const dataset =
    datasets.data?.find(({ name }) => name === place.dataset) ??
    (place.dataset === undefined ? known?.at(-1) : undefined);
  const spec = useMemo(() => {
    const read = readSpec(written ?? "{}");
    return "spec" in read ? read.spec : {};
  }, [written]);

  if (opened.isError) return <Notice title={opened.error.message} isError />;
  if (datasets.isPending || place.chart !== undefined) return <Skeleton label="Loading the chart" lines={8} />;
  if (!dataset || !known)
    return (
      <Notice title={place.dataset === undefined ? "There is nothing to draw yet." : `There is no ${place.dataset}.`}>
        Load a file in a notebook first.
      </Notice>
    );
  return <Charting key={dataset.name} dataset={dataset} known={known} datasets={datasets.data ?? []} spec={spec} />;
}

type Props = { dataset: Dataset; known: Dataset[]; datasets: Dataset[]; spec: Json };

function Charting({ dataset, known, datasets, spec }: Props) {
  const isBlank = Object.keys(spec).length === 0;
  const suggested = useSuggestions(dataset);
  const wanted = useMemo(() => (isBlank ? undefined : sized(spec)), [spec, isBlank]);
  const cost = useCost(dataset, wanted);
  const [agreed, setAgreed] = useState<string>();
  const written = JSON.stringify(wanted);
  const isWaiting = cost.data?.is_large === true && agreed !== written;
  // What is wrong in a specification is said by the drawing, which is not begun before its cost is known.
  const drawn = useDrawn(dataset, cost.isPending || isWaiting ? undefined : wanted);
  const [mark, setMark] = useState<number>();
  const [isInspecting, setInspecting] = useState(true);
  const change = (next: Json) => setParams({ dataset: dataset.name, spec: JSON.stringify(next) });
  // A specification that cannot be drawn leaves the last good picture standing.
  const good = useRef(drawn.data);
  if (drawn.data) good.current = drawn.data;
  const picture = drawn.data ?? good.current;
  const label = picture?.chart;

  // biome-ignore lint/correctness/useExhaustiveDependencies: other marks begin with none of them chosen
  useEffect(() => setMark(undefined), [label]);

  const inspects = isInspecting && mark !== undefined && picture !== undefined;
  return (
    <div className={styles.view} data-inspecting={inspects || undefined}>
      <section className={styles.side} aria-label="What to draw">
        <h1 className={styles.title}>Chart</h1>
        <label className={styles.dataset}>
          Dataset
          <select
            value={dataset.name}
            onChange={(event) => setParams({ dataset: event.target.value, spec: undefined }, true)}
          >
            {(known.includes(dataset) ? known : [dataset, ...known]).map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <section className={styles.suggested} aria-label="Suggestions">
          <h2>Suggestions</h2>
          {suggested.isPending && <Skeleton label="Looking at the columns" lines={3} />}
          {suggested.data?.length === 0 && <p>No column of it tells much by itself.</p>}
          <ul>
            {suggested.data?.map((each) => (
              <li key={each.why}>
                <button
                  type="button"
                  aria-pressed={JSON.stringify(each.spec) === JSON.stringify(spec)}
                  onClick={() => change(each.spec as Json)}
                >
                  {each.why}
                </button>
              </li>
            ))}
          </ul>
        </section>
        <Shelves dataset={dataset} spec={spec} problem={drawn.error?.message} onChange={change} />
      </section>
      <section className={styles.main} aria-label="Picture">
        {isBlank ? (
          <Notice title="Put a column on a shelf, or take a suggestion.">
            What is drawn is computed over all rows; every mark leads back to the rows it was made from.
          </Notice>
        ) : isWaiting ? (
          <Notice title="This chart reads very many rows." action={{ label: "Draw it", run: () => setAgreed(written) }}>
            {cost.data?.text}
          </Notice>
        ) : picture ? (
          <DrawnPane
            drawn={picture}
            spec={spec}
            isOld={drawn.isPlaceholderData || drawn.isError}
            isBusy={drawn.isFetching}
            mark={mark}
            onMark={(next) => {
              setMark(next);
              setInspecting(true);
            }}
          />
        ) : drawn.isError ? (
          <Notice title={drawn.error.message} isError>
            {"hint" in drawn.error ? String(drawn.error.hint) : ""}
          </Notice>
        ) : (
          <Skeleton label="Drawing the chart" lines={8} />
        )}
      </section>
      {inspects && (
        <Inspector
          dataset={picture.marks}
          datasets={datasets}
          cell={cellAt(picture.marks, { row: mark, column: picture.value })}
          onClose={() => setInspecting(false)}
        />
      )}
    </div>
  );
}
