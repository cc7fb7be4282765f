import { useState } from "react";
import { type DrawnChart, useChart, useMarkValues, useMarkWords } from "../charts/api";
import { type Becomes, KeepDialog } from "../charts/KeepDialog";
import { MarkChart, type Ring } from "../charts/MarkChart";
import { parsePlace, useSearch } from "../state/place";
import { count } from "../text/words";
import { Notice } from "../ui/Notice";
import { PlaceLink } from "../ui/PlaceLink";
import { Skeleton } from "../ui/Skeleton";
import { Answers } from "./Answers";
import {
  type Answer,
  type Clause,
  type Preview,
  type Question,
  usePreview,
  useQuestion,
  useSearching,
  useSearchState,
} from "./api";
import { Compared } from "./Compared";
import styles from "./ExplainView.module.css";
import { Facets } from "./Facets";
import { askedOf, expecting, marked, NOTHING, type Role, whyNot } from "./marking";
import { NoColumns } from "./NoColumns";
import { Shown } from "./Shown";
import { Steps } from "./Steps";
import { useLetters } from "./useLetters";

/** Why marks of a chart look odd: say which, and be told which rows make them so. */
export default function ExplainView() {
  const { chart } = parsePlace(useSearch());
  const drawn = useChart(chart);
  const question = useQuestion(chart);
  if (chart === undefined)
    return (
      <Notice title="Choose a chart to ask about.">
        Open one in the <PlaceLink place={{ view: "chart" }}>chart view</PlaceLink> and press “Why does it look odd?”.
      </Notice>
    );
  const error = drawn.error ?? question.error;
  if (error)
    return (
      <Notice title={error.message} isError>
        {"hint" in error ? String(error.hint) : ""}
      </Notice>
    );
  if (!drawn.data || !question.data) return <Skeleton label="Reading the rows behind the marks" lines={8} />;
  return <Explaining key={question.data.question} drawn={drawn.data} question={question.data} />;
}

function Explaining({ drawn, question }: { drawn: DrawnChart; question: Question }) {
  const [marking, setMarking] = useState(NOTHING);
  const [mode, setMode] = useState<Role>("outlier");
  const [isDrawing, setDrawing] = useState(false);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(
    () => new Set(question.facets.flatMap((facet) => (facet.why_not ? [] : [facet.column]))),
  );
  const [cursor, setCursor] = useState<number>();
  const [hovered, setHovered] = useState<Answer>();
  const [clauses, setClauses] = useState<Clause[]>([]);
  const [locked, setLocked] = useState<string>();
  const [beside, setBeside] = useState<Clause[]>();
  const [keepsOnly, setKeepsOnly] = useState(false);
  const [at, setAt] = useState<number>();
  const [isKeeping, setKeeping] = useState(false);
  const search = useSearchState(question.question);
  const { search: begin, stop } = useSearching(question.question);
  const words = useMarkWords(drawn);
  const names = useMarkWords(drawn, drawn.value);
  const values = useMarkValues(drawn.marks, drawn.value);
  // What is compared stands still, whatever the pointer passes on its way there.
  const shown = (beside ? undefined : hovered?.clauses) ?? clauses;
  const preview = usePreview(question.question, shown.length > 0 ? shown : undefined, keepsOnly);
  const seen = shown.length > 0 ? preview.data : undefined;

  const attributes = question.facets.map(({ column }) => column).filter((column) => ticked.has(column));
  const missing = whyNot(marking, attributes);
  const isRunning = search.data?.state === "running" || begin.isPending;
  const choose = (next: Clause[], answer?: string) => {
    setLocked(answer);
    setClauses(next);
    setBeside(undefined);
  };
  const run = () => {
    if (missing || isRunning) return;
    setHovered(undefined);
    choose([]);
    begin.mutate(askedOf(marking, attributes));
  };
  const lock = (answer: Answer) => {
    if (answer.sql === locked) choose([]);
    else choose(answer.clauses, answer.sql);
  };
  const mark = (marks: number[], role: Role, isToggle: boolean) => setMarking(marked(marking, marks, role, isToggle));
  useLetters({
    r: run,
    p: () => clauses.length > 0 && setKeeping(true),
    ...Object.fromEntries((search.data?.answers ?? []).slice(0, 9).map((each, i) => [String(i + 1), () => lock(each)])),
  });
  const rings = new Map<number, Ring>(marking.roles);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape ends the comparison wherever the focus is
    <div
      className={styles.view}
      data-comparing={beside !== undefined || undefined}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !beside || event.defaultPrevented) return;
        setBeside(undefined);
        event.preventDefault();
      }}
    >
      <Facets
        facets={question.facets}
        leftOut={question.left_out}
        ticked={ticked}
        clauses={shown}
        onTick={(column, isTicked) => {
          const next = new Set(ticked);
          if (isTicked) next.add(column);
          else next.delete(column);
          setTicked(next);
        }}
        onClauses={(next) => choose(next)}
      />
      <section className={styles.steps} aria-label="Question">
        <h1 className={styles.title}>Why does it look odd?</h1>
        <p className={styles.told}>
          {`${drawn.marks.name}, ${count(question.rows, "row")} of ${question.input.name} behind ${count(drawn.marks.rows, "mark")}`}
        </p>
        {question.facets.length === 0 ? (
          <NoColumns dataset={question.input.name} />
        ) : (
          <>
            <Steps
              marking={marking}
              mode={mode}
              isDrawing={isDrawing}
              words={names}
              values={values}
              onMode={(next) => {
                setMode(next);
                setDrawing(false);
              }}
              onDraw={setDrawing}
              onMarking={setMarking}
            />
            <div className={styles.run}>
              {isRunning ? (
                <button type="button" className="button" onClick={() => stop.mutate()}>
                  Stop, keep the best so far
                </button>
              ) : (
                <button type="button" className="primary" disabled={missing !== ""} onClick={run}>
                  Search
                </button>
              )}
              <span>{missing || (begin.error?.message ?? "")}</span>
            </div>
          </>
        )}
        {search.data && (
          <Answers
            search={search.data}
            input={question.input.name}
            at={at}
            locked={locked}
            beside={beside}
            canCompare={clauses.length > 0}
            onAt={setAt}
            onHover={setHovered}
            onLock={lock}
            onCompare={(answer) => setBeside(answer.clauses === beside ? undefined : answer.clauses)}
          />
        )}
      </section>
      <section className={styles.chart} aria-label="Chart">
        {beside ? (
          <Compared
            drawn={drawn}
            question={question.question}
            one={clauses}
            other={beside}
            keepsOnly={keepsOnly}
            marking={marking}
            words={names}
            values={values}
            onChoose={(next) => choose(next, search.data?.answers.find((each) => each.clauses === next)?.sql)}
            onEnd={() => setBeside(undefined)}
          />
        ) : (
          <>
            <MarkChart
              spec={drawn.vega}
              label={`Chart ${drawn.marks.name}; arrow keys walk the marks, O marks one as odd, N as fine`}
              isOverlaid
              rows={seen?.rows ?? undefined}
              rings={rings}
              cursor={cursor}
              onCursor={setCursor}
              onPick={(picked) => picked !== undefined && mark([picked], mode, true)}
              onBrush={(marks, isDone) => isDone && mark(marks, mode, false)}
              onDraw={isDrawing ? (picked, value) => setMarking((known) => expecting(known, picked, value)) : undefined}
              onKey={(key, picked) => {
                if (picked === undefined || (key !== "o" && key !== "n")) return false;
                mark([picked], key === "o" ? "outlier" : "fine", true);
                return true;
              }}
            />
            <p className="visually-hidden" role="status">
              {cursor === undefined
                ? ""
                : `${words[cursor] ?? `Mark ${cursor}`}, ${marking.roles.get(cursor) ?? "not marked"}`}
            </p>
            {shown.length > 0 ? (
              <Shown
                clauses={shown}
                preview={seen}
                keepsOnly={keepsOnly}
                isLocked={hovered === undefined || hovered.sql === locked}
                onKeepsOnly={setKeepsOnly}
                onClear={() => choose([])}
                onKeep={() => setKeeping(true)}
              />
            ) : (
              <p className={styles.hint}>
                Point at an answer, or click bars on the left: the chart shows what it would be without those rows.
              </p>
            )}
          </>
        )}
      </section>
      {isKeeping && preview.data && (
        <KeepDialog
          title="Make it permanent"
          choices={choicesOf(preview.data, keepsOnly)}
          source={question.input.name}
          onClose={() => setKeeping(false)}
        />
      )}
    </div>
  );
}

function choicesOf({ cells }: Preview, keepsOnly: boolean): Becomes[] {
  const words: Record<string, string> = {
    filter: keepsOnly ? "a filter: only these rows" : "a filter: all rows but these",
    caveat: "a caveat on these rows",
    label: "a column that labels these rows",
  };
  return ["filter", "caveat", "label"].flatMap((name) => {
    const cell = cells[name];
    return cell ? [{ label: words[name] ?? name, cell: { kind: cell.kind, values: cell.values } }] : [];
  });
}
