import type { NotebookCell } from "../api/notebooks";
import type { Place } from "../state/place";

export const TOUR = "tour";

/** What the page shows and knows, as far as a step of the tour looks at it. */
export type Looks = {
  place: Place;
  /** Two versions of the notebook stand side by side. */
  isComparing: boolean;
  cells: NotebookCell[];
  /** A search for what explains a chart has found something. */
  hasAnswer: boolean;
  /** A caveat of the workspace is accepted. */
  hasAccepted: boolean;
};

export type TourStep = {
  id: string;
  title: string;
  hint: string;
  /** What one has seen when the step is done. */
  outcome: string;
  /** The dataset whose cell of the tour the step begins at; without one it begins where `place` says. */
  begins: { cellOf: string } | { place: Place };
  isDone: (looks: Looks) => boolean;
};

const SUSPECT = { dataset: "by_supplier", column: "average_price" };

/** The five steps of the tour, in order. Each ends in something that can be seen on the page. */
export const STEPS: readonly TourStep[] = [
  {
    id: "trace",
    title: "Trace a wrong number",
    hint: "The average price of Rheinwerk is red. Click it.",
    outcome: "On the right: the rows behind the average, and “21 Euro” in prices.csv, with its line.",
    begins: { cellOf: SUSPECT.dataset },
    isDone: ({ place }) =>
      place.dataset === SUSPECT.dataset && place.column === SUSPECT.column && place.row !== undefined,
  },
  {
    id: "fix",
    title: "Put it right",
    hint: "With the red number selected, press Fix on the right. Type 21 over the empty price, then press Apply.",
    outcome: "The edit is a step of the notebook; the averages were computed again, and this one is not red any more.",
    begins: { place: { notebook: TOUR, ...SUSPECT, row: 3 } },
    isDone: ({ cells }) => cells.some((cell) => cell.kind === "sheet" && cell.status === "ready"),
  },
  {
    id: "explain",
    title: "Ask why a bar is odd",
    hint: "Below the chart of temperatures press the question mark (Explain), click the three high bars, then Search.",
    outcome:
      "The answer names the rows behind the odd bars. Point at it: the chart shows what it would be without them.",
    begins: { cellOf: "temperature_by_hour" },
    isDone: ({ hasAnswer }) => hasAnswer,
  },
  {
    id: "compare",
    title: "Compare two versions",
    hint: "Every edit is a version. In History on the right, point at an older one and press Compare.",
    outcome: "The page shows which cells are new, and which results are others than before.",
    begins: { place: { notebook: TOUR } },
    isDone: ({ isComparing }) => isComparing,
  },
  {
    id: "accept",
    title: "Accept a doubt",
    hint: "Some doubts are fine as they are. Choose a group of caveats, write why, then press Acknowledge.",
    outcome: "It stays listed with your note, and marks nothing any more, here and in all that was made from it.",
    begins: { place: { view: "caveats" } },
    isDone: ({ hasAccepted }) => hasAccepted,
  },
];

/** The first step that is not done; none after the last. */
export function nextStep(done: readonly string[]): TourStep | undefined {
  return STEPS.find((step) => !done.includes(step.id));
}

/** Whether a notebook of this name is the tour, and not one that somebody called the same. */
export function isTour(cells: readonly NotebookCell[]): boolean {
  const made = new Set(cells.flatMap((cell) => cell.datasets.map((dataset) => dataset.name)));
  return made.has(SUSPECT.dataset) && made.has("temperature_by_hour");
}
