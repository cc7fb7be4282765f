import { Suspense, useEffect, useState } from "react";
import type { Dataset } from "../api/client";
import { useNotebooks } from "../api/notebooks";
import { useAbout, useDatasets } from "../api/queries";
import { useEvents } from "../api/useEvents";
import { DatasetView } from "../dataset/DatasetView";
import { cellAt, type InspectedCell } from "../inspector/InspectedCell";
import { Inspector } from "../inspector/Inspector";
import { JobDock } from "../jobs/JobDock";
import { DropHint } from "../notebook/DropHint";
import { NotebookView } from "../notebook/NotebookView";
import { useFileDrop } from "../notebook/useFileDrop";
import { Rail } from "../rail/Rail";
import { RailDrawer } from "../rail/RailDrawer";
import { rememberNotebook } from "../state/lastNotebook";
import { parsePlace, useSearch } from "../state/place";
import { useRail } from "../state/rail";
import { useTheme } from "../state/theme";
import { Skeleton } from "../ui/Skeleton";
import styles from "./App.module.css";
import { Connection } from "./Connection";
import { Palette } from "./Palette";
import { ShortcutSheet } from "./ShortcutSheet";
import { Start } from "./Start";
import { ToastLine } from "./ToastLine";
import { TopBar } from "./TopBar";
import { useBegin } from "./useBegin";
import { useEntries } from "./useEntries";
import { useShortcuts } from "./useShortcuts";
import { VIEWS } from "./views";

/** The page: top bar, rail of datasets, the chosen dataset, and the inspector that follows the selection. */
export function App() {
  const place = parsePlace(useSearch());
  const datasets = useDatasets();
  const about = useAbout();
  // A link to one version shows nothing that changes, and the server refuses its events.
  useEvents(about.data !== undefined && !about.data.shared);
  const [isInspecting, setInspecting] = useState(true);
  const [selected, setSelected] = useState<InspectedCell>();
  const [showsShortcuts, setShowsShortcuts] = useState(false);
  const [isSearching, setSearching] = useState(false);
  const [theme, advanceTheme] = useTheme();
  const notebooks = useNotebooks();
  const rail = useRail();
  const view = place.view === undefined ? undefined : VIEWS[place.view];
  const isElsewhere = view !== undefined || place.dataset !== undefined;
  const notebook = view ? undefined : (place.notebook ?? (isElsewhere ? undefined : notebooks.data?.[0]));
  const isDeciding = !isElsewhere && place.notebook === undefined && notebooks.isPending;
  const chosen = !view && notebook === undefined && !isDeciding ? choose(datasets.data, place.dataset) : undefined;
  const isShared = Boolean(about.data?.shared);
  const onHelp = () => setShowsShortcuts(true);
  const drop = useFileDrop(useBegin().loadFiles);
  // A notebook takes files itself, at the place where they are dropped.
  const takesFiles = notebook === undefined && !isShared;
  const entries = useEntries({ datasets: datasets.data, notebook, onTheme: advanceTheme, onHelp });
  // Beside a notebook the inspector shows whatever value or mark was picked in it.
  const inspected = notebook === undefined ? chosen : datasets.data?.find((each) => each.name === place.dataset);
  const isSheet = place.view === "sheet" && chosen !== undefined;
  const edited = isSheet && selected?.edit?.dataset === chosen.name ? selected : undefined;
  const announcement = useShortcuts({
    dataset: isSheet ? undefined : chosen,
    place,
    onInspect: setInspecting,
    isInspecting,
    onHelp,
    onSearch: () => setSearching(true),
  });

  const entriesOfRail = (
    <Rail query={datasets} chosen={chosen} notebook={notebook} view={place.view} isShared={isShared} />
  );

  useEffect(() => {
    const open = view?.title ?? notebook ?? chosen?.name;
    document.title = open ? `${open} · whence` : "whence";
    if (notebook !== undefined) rememberNotebook(notebook);
  }, [view, chosen, notebook]);

  return (
    <div
      className={styles.app}
      data-inspecting={(isInspecting && inspected !== undefined) || undefined}
      data-no-rail={!rail.isShown || rail.isDrawer || undefined}
    >
      <TopBar
        about={about.data}
        open={view?.title ?? notebook ?? chosen?.name}
        theme={theme}
        isInspecting={isInspecting}
        onInspect={() => setInspecting(!isInspecting)}
        onTheme={advanceTheme}
        onSearch={() => setSearching(true)}
        onHelp={onHelp}
      />
      <Connection error={about.error} />
      {rail.isShown && (rail.isDrawer ? <RailDrawer>{entriesOfRail}</RailDrawer> : entriesOfRail)}
      <main
        className={styles.main}
        data-region="data"
        aria-label={view?.title ?? (notebook !== undefined ? "Notebook" : chosen ? "Dataset" : "Start")}
        {...(takesFiles && drop.handlers)}
      >
        {view ? (
          <Suspense fallback={<Skeleton label={`Loading ${view.title}`} lines={8} />}>
            <view.View />
          </Suspense>
        ) : notebook !== undefined ? (
          <NotebookView key={notebook} name={notebook} />
        ) : chosen && datasets.data ? (
          <DatasetView
            key={chosen.name}
            dataset={chosen}
            datasets={datasets.data}
            place={place}
            onInspect={() => setInspecting(true)}
            edited={edited}
            onEdited={setSelected}
          />
        ) : (
          <Start query={datasets} missing={place.dataset} isShared={isShared} />
        )}
        {takesFiles && drop.isOver && <DropHint />}
      </main>
      {isInspecting && inspected && datasets.data && (
        <Inspector
          dataset={inspected}
          datasets={datasets.data}
          cell={isSheet ? edited : cellAt(inspected, place)}
          isSheet={isSheet}
          isOpening={isSheet && edited === undefined && place.row !== undefined}
          onClose={() => setInspecting(false)}
        />
      )}
      {!isShared && <JobDock notebook={notebook} />}
      <ToastLine />
      {isSearching && <Palette entries={entries} onClose={() => setSearching(false)} />}
      <ShortcutSheet isOpen={showsShortcuts} onClose={() => setShowsShortcuts(false)} />
      <div className="visually-hidden" role="status">
        {announcement}
      </div>
    </div>
  );
}

/** The dataset the address names, or else the newest one: results come after what they were made from. */
function choose(datasets: Dataset[] | undefined, name: string | undefined): Dataset | undefined {
  return name === undefined ? datasets?.at(-1) : datasets?.find((dataset) => dataset.name === name);
}
