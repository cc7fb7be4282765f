import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useDatasets } from "../api/queries";
import { setParams, useParam } from "../state/params";
import { Notice } from "../ui/Notice";
import { PlaceLink } from "../ui/PlaceLink";
import { Skeleton } from "../ui/Skeleton";
import { linkCharts } from "./api";
import styles from "./CanvasView.module.css";
import { AT_FIRST, keptCharts, MOST, readChosen, rememberChosen, writeChosen } from "./chosen";
import { LinkedTiles } from "./LinkedTiles";

/** Charts side by side that follow each other's brushes, as far as they share source rows. */
export default function CanvasView() {
  const datasets = useDatasets();
  const [written] = useParam("charts");
  const names = useMemo(() => keptCharts(datasets.data), [datasets.data]);
  const chosen = useMemo(() => readChosen(written) ?? names.slice(-AT_FIRST), [names, written]);
  useEffect(() => rememberChosen(chosen), [chosen]);
  const labels = chosen.map((chart) => {
    const current = datasets.data?.find(({ name }) => name === chart);
    return current ? `${chart}@${current.version}` : chart;
  });
  const linked = useQuery({
    queryKey: ["linked", labels],
    enabled: labels.length >= 2 && !datasets.isPending,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    queryFn: ({ signal }) => linkCharts(labels, signal),
  });

  if (datasets.isPending) return <Skeleton label="Loading the charts" lines={8} />;
  const options = [...names, ...chosen.filter((chart) => !names.includes(chart))];
  if (options.length < 2)
    return (
      <Notice title="Add a second chart to link.">
        Draw some in the <PlaceLink place={{ view: "chart" }}>chart view</PlaceLink> or as chart cells of a notebook.
      </Notice>
    );
  const choose = (chart: string, isChosen: boolean) =>
    setParams({ charts: writeChosen(isChosen ? [...chosen, chart] : chosen.filter((each) => each !== chart)) });
  return (
    <div className={styles.view}>
      <header className={styles.header}>
        <h1 className={styles.title}>Linked charts</h1>
        <fieldset className={styles.choice}>
          <legend className="visually-hidden">Charts to look at together</legend>
          {options.map((chart) => (
            <label key={chart}>
              <input
                type="checkbox"
                checked={chosen.includes(chart)}
                disabled={!chosen.includes(chart) && chosen.length >= MOST}
                onChange={(event) => choose(chart, event.target.checked)}
              />
              {chart}
            </label>
          ))}
        </fieldset>
        <PlaceLink className="button" place={{ view: "chart" }}>
          Draw another
        </PlaceLink>
      </header>
      {chosen.length < 2 ? (
        <Notice title="Tick at least two charts to look at together." />
      ) : linked.isError ? (
        <Notice title={linked.error.message} isError action={{ label: "Retry", run: () => void linked.refetch() }} />
      ) : linked.data ? (
        <LinkedTiles key={linked.data.link} linked={linked.data} />
      ) : (
        <Skeleton label="Linking the charts" lines={8} />
      )}
    </div>
  );
}
