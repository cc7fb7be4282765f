import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { useNotebook } from "../api/notebooks";
import { useOverview } from "../caveats/api";
import type { Search } from "../explain/api";
import { focusCell } from "../notebook/focusCell";
import { goTo, parsePlace, useSearch } from "../state/place";
import { closeGuide, finishStep, useTourProgress } from "../state/tour";
import { Icon } from "../ui/Icon";
import { PlaceLink } from "../ui/PlaceLink";
import { isTour, type Looks, nextStep, STEPS, TOUR, type TourStep } from "./steps";
import styles from "./TourGuide.module.css";

/** Leads through the tour: one hint at a time, ticked off when the page shows what it promised. */
export default function TourGuide() {
  const { done } = useTourProgress();
  const cells = useNotebook(TOUR).data?.cells ?? [];
  const step = nextStep(done);
  if (!isTour(cells)) return null;
  const last = STEPS.findLast((each) => done.includes(each.id));
  return (
    <section className={styles.guide} aria-label="Guide of the tour">
      <header className={styles.head}>
        <h2 className={styles.title}>
          {step ? `Step ${STEPS.indexOf(step) + 1} of ${STEPS.length}` : "That was the tour"}
        </h2>
        <button type="button" className="icon-button" aria-label="Hide the guide" onClick={closeGuide}>
          <Icon name="close" size={12} />
        </button>
      </header>
      <ol className={styles.steps} aria-hidden="true">
        {STEPS.map(({ id }) => (
          <li key={id} data-done={done.includes(id) || undefined} />
        ))}
      </ol>
      <div role="status">{last && <p className={styles.outcome}>{last.outcome}</p>}</div>
      {step ? <Hint key={step.id} step={step} /> : <Farewell />}
    </section>
  );
}

function Hint({ step }: { step: TourStep }) {
  const looks = useLooks(step);
  const isDone = step.isDone(looks);
  useEffect(() => {
    if (isDone) finishStep(step.id);
  }, [isDone, step.id]);
  const begin = () => {
    if ("place" in step.begins) return goTo(step.begins.place);
    const { cellOf } = step.begins;
    const cell = looks.cells.find((each) => each.datasets.some((dataset) => dataset.name === cellOf));
    goTo({ notebook: TOUR });
    setTimeout(() => focusCell(cell?.id), 100);
  };
  return (
    <>
      <h3 className={styles.name}>{step.title}</h3>
      <p className={styles.hint}>{step.hint}</p>
      <p className={styles.ways}>
        <button type="button" className="button" onClick={begin}>
          Show me where
        </button>
        <button type="button" className={styles.skip} onClick={() => finishStep(step.id)}>
          Skip
        </button>
      </p>
    </>
  );
}

/** What comes after the tour: data of one's own. */
function Farewell() {
  return (
    <p className={styles.hint}>
      Now with data of yours: <PlaceLink place={{ view: "start" }}>load a file</PlaceLink>.
    </p>
  );
}

/** What the page shows and knows. Caveats are read for the step about them only. */
function useLooks(step: TourStep): Looks {
  const search = useSearch();
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const hasAnswer = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => queries.getQueriesData<Search>({ queryKey: ["search"] }).some(([, found]) => isAnswered(found)),
  );
  const place = parsePlace(search);
  const overview = useOverview(undefined, step.id === "accept" && place.view === "caveats");
  return {
    place,
    isComparing: new URLSearchParams(search).has("compare"),
    cells: useNotebook(TOUR).data?.cells ?? [],
    hasAnswer,
    hasAccepted: overview.data?.groups.some((group) => group.acknowledged) ?? false,
  };
}

function isAnswered(found: Search | undefined): boolean {
  return found !== undefined && found.state === "done" && found.answers.length > 0;
}
