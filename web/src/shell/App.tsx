import { useEffect, useState } from "react";
import type { Dataset } from "../api/client";
import { useAbout, useDatasets } from "../api/queries";
import { DatasetView } from "../dataset/DatasetView";
import { Inspector } from "../inspector/Inspector";
import { Rail } from "../rail/Rail";
import { parsePlace, useSearch } from "../state/place";
import styles from "./App.module.css";
import { Connection } from "./Connection";
import { focusRegion } from "./regions";
import { ShortcutSheet } from "./ShortcutSheet";
import { Start } from "./Start";
import { TopBar } from "./TopBar";
import { useShortcuts } from "./useShortcuts";

/** The page: top bar, rail of datasets, the chosen dataset, and the inspector that follows the selection. */
export function App() {
  const place = parsePlace(useSearch());
  const datasets = useDatasets();
  const about = useAbout();
  const [isInspecting, setInspecting] = useState(true);
  const [showsShortcuts, setShowsShortcuts] = useState(false);
  const chosen = choose(datasets.data, place.dataset);
  const announcement = useShortcuts({
    dataset: chosen,
    place,
    onInspect: setInspecting,
    isInspecting,
    onHelp: () => setShowsShortcuts(true),
  });

  useEffect(() => {
    document.title = chosen ? `${chosen.name} · whence` : "whence";
  }, [chosen]);

  return (
    <div className={styles.app} data-inspecting={(isInspecting && chosen !== undefined) || undefined}>
      <TopBar
        about={about.data}
        dataset={chosen}
        isInspecting={isInspecting}
        onInspect={() => setInspecting(!isInspecting)}
        onHelp={() => setShowsShortcuts(true)}
      />
      <Connection error={about.error} />
      <Rail query={datasets} chosen={chosen} />
      <main className={styles.main} data-region="data" aria-label="Dataset">
        {chosen && datasets.data ? (
          <DatasetView
            key={`${chosen.name}@${chosen.version}`}
            dataset={chosen}
            datasets={datasets.data}
            place={place}
            onInspect={() => {
              setInspecting(true);
              focusRegion("inspector");
            }}
          />
        ) : (
          <Start query={datasets} missing={place.dataset} />
        )}
      </main>
      {isInspecting && chosen && datasets.data && (
        <Inspector dataset={chosen} datasets={datasets.data} place={place} onClose={() => setInspecting(false)} />
      )}
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
