import type { UseQueryResult } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { Dataset } from "../api/client";
import { useNotebooks } from "../api/notebooks";
import { useRail } from "../state/rail";
import { useTourProgress } from "../state/tour";
import { TOUR } from "../tour/steps";
import { Skeleton } from "../ui/Skeleton";
import { ChartItem } from "./ChartItem";
import { DatasetItem } from "./DatasetItem";
import { groupEntries } from "./groups";
import { NewNotebook } from "./NewNotebook";
import { NotebookItem } from "./NotebookItem";
import styles from "./Rail.module.css";
import { useRailCommands } from "./useRailCommands";
import { ViewList } from "./ViewList";

const ForgetDialog = lazy(() => import("../forget/ForgetDialog"));
const RailDialog = lazy(() => import("./RailDialog"));
const ShareFileDialog = lazy(() => import("../share/ShareFileDialog"));
const TourGuide = lazy(() => import("../tour/TourGuide"));

type Props = {
  query: UseQueryResult<Dataset[]>;
  chosen: Dataset | undefined;
  notebook: string | undefined;
  view: string | undefined;
  /** Somebody came by a link that shows one version: there is nothing else to see or to make. */
  isShared: boolean;
};

/** What is in the workspace: notebooks with the datasets they make, charts, and datasets that no notebook makes. */
export function Rail({ query, chosen, notebook, view, isShared }: Props) {
  const [search, setSearch] = useState("");
  const names = useNotebooks().data ?? [];
  const { folded } = useRail();
  const isGuided = !useTourProgress().isClosed && !isShared && names.includes(TOUR);
  const owner = useRailCommands(names, query.data ?? []);
  const commands = isShared ? undefined : owner;
  const { notebooks, charts, others } = groupEntries(names, query.data ?? [], search);
  const isEmpty = notebooks.length + charts.length + others.length === 0;
  const item = (dataset: Dataset) => (
    <DatasetItem key={dataset.name} dataset={dataset} isChosen={dataset === chosen} commands={commands} />
  );
  return (
    <nav className={styles.rail} data-region="rail" aria-label="Notebooks and datasets">
      {isGuided && (
        <Suspense>
          <TourGuide />
        </Suspense>
      )}
      {!isShared && <ViewList chosen={view} />}
      {!isShared && (
        <input
          type="search"
          className={styles.search}
          aria-label="Search notebooks, datasets and charts"
          placeholder="Search…"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => event.key === "Escape" && setSearch("")}
        />
      )}
      {search && isEmpty && <p className={styles.none}>No results</p>}
      {(notebooks.length > 0 || !search) && <h2 className={styles.title}>Notebooks</h2>}
      <ul className={styles.list}>
        {notebooks.map(({ name, datasets }) => (
          <NotebookItem
            key={name}
            name={name}
            datasets={datasets}
            isChosen={name === notebook}
            isFolded={!search && folded.includes(name)}
            commands={commands}
          >
            {datasets.map(item)}
          </NotebookItem>
        ))}
      </ul>
      {!isShared && !search && <NewNotebook />}
      {charts.length > 0 && <h2 className={styles.title}>Charts</h2>}
      <ul className={styles.list}>
        {charts.map((chart) => (
          <ChartItem key={chart.name} chart={chart} commands={commands} />
        ))}
      </ul>
      {others.length > 0 && (
        <h2 className={styles.title}>{names.length > 0 ? "Datasets outside notebooks" : "Datasets"}</h2>
      )}
      {query.isPending && <Skeleton label="Loading datasets" />}
      <ul className={styles.list}>{others.map(item)}</ul>
      {owner.asked && (
        <Suspense>
          {owner.asked.what === "forget" ? (
            <ForgetDialog name={owner.asked.dataset.name} onClose={owner.close} />
          ) : owner.asked.what === "share" ? (
            <ShareFileDialog notebook={owner.asked.notebook} onClose={owner.close} />
          ) : (
            <RailDialog asked={owner.asked} commands={owner} datasets={query.data ?? []} />
          )}
        </Suspense>
      )}
    </nav>
  );
}
