import { type KeyboardEvent, useRef, useState } from "react";
import type { Edits, Kind, Notebook, NotebookCell } from "../api/notebooks";
import type { Names } from "../editor/names";
import type { OddValue } from "../results/oddValue";
import { keysFor } from "../state/keymap";
import styles from "./CellCard.module.css";
import { CellForm } from "./CellForm";
import { CellMenu } from "./CellMenu";
import { CellOutput } from "./CellOutput";
import { CellState } from "./CellState";
import { Chips } from "./Chips";
import { type CellCommand, commandFor } from "./commands";
import { focusCell } from "./focusCell";
import { SessionMarks } from "./SessionMarks";
import type { SessionMark } from "./sessionMarks";
import { useCellText } from "./useCellText";
import { useGrowInView } from "./useGrowInView";

type Props = {
  notebook: Notebook;
  cell: NotebookCell;
  kind: Kind | undefined;
  edits: Edits;
  names: Names;
  /** What the session says about it; undefined outside of one. */
  marks: SessionMark[] | undefined;
  /** It makes or reads the dataset that is pointed at. */
  isLit: boolean;
  onCommand: (command: CellCommand) => void;
  onFocus: () => void;
  onLight: (dataset: string | undefined) => void;
  onGo: (dataset: string) => void;
};

/** One cell: how it stands, what it says, and what it made. */
export function CellCard(props: Props) {
  const { notebook, cell, kind, edits, names, marks, isLit, onCommand, onFocus, onLight, onGo } = props;
  const text = useCellText(notebook, cell, kind, edits, names);
  const [showsCode, setShowsCode] = useState(false);
  const isBusy = cell.status === "running" || cell.status === "waiting";
  // While a cell runs, what it gave before stays in sight.
  const last = useRef(cell);
  const card = useRef<HTMLElement>(null);
  useGrowInView(card);
  if (!isBusy) last.current = cell;
  const shown = isBusy && cell.displays.length === 0 && last.current.id === cell.id ? last.current : cell;
  const obey = (command: CellCommand) => {
    if (command === "runUpstream") return text.save("upstream");
    if (command === "run" || command === "runAndGoOn" || command === "runAndInsert") text.save();
    if (command !== "run") onCommand(command);
  };
  const explain = (odd: OddValue) =>
    edits.add.mutate(
      { kind: "explain", values: odd, position: notebook.cells.indexOf(cell) + 1, is_draft: false },
      { onSuccess: (added) => requestAnimationFrame(() => focusCell(added.cell?.id)) },
    );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.isDefaultPrevented()) return;
    const command = commandFor(event);
    if (command === undefined) return;
    event.preventDefault();
    obey(command);
  };
  return (
    // biome-ignore-start lint/a11y/noNoninteractiveTabindex: a cell takes the focus so that keys can act on it as a whole
    <section
      ref={card}
      className={styles.card}
      data-cell={cell.id}
      data-status={cell.status}
      data-session={marks?.[0]?.mark}
      data-reads-as-text={(cell.kind === "markdown" && shown.displays.length > 0) || undefined}
      data-lit={isLit || undefined}
      tabIndex={0}
      aria-label={`Cell ${cell.id}, ${cell.kind}`}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      <header className={styles.head}>
        <span className={styles.kind}>{cell.kind}</span>
        {marks && <span title="The name of this cell in what the session says">{cell.id}</span>}
        <CellState cell={cell} />
        <Chips cell={cell} onLight={onLight} onGo={onGo} />
        <span className={styles.space} />
        {cell.reason.startsWith("still ending") ? (
          <button
            type="button"
            className={styles.act}
            title="Restart Spark now; the other cells that run begin again"
            onClick={() => edits.restartSpark.mutate(cell.id)}
          >
            Restart Spark
          </button>
        ) : isBusy ? (
          <button type="button" className={styles.act} onClick={() => edits.cancel.mutate(cell.id)}>
            Stop
          </button>
        ) : (
          <button
            type="button"
            className={styles.act}
            title={`Run this cell and what it waits for (${keysFor("run")})`}
            onClick={() => text.save()}
          >
            Run
          </button>
        )}
        <CellMenu
          notebook={notebook}
          cell={cell}
          edits={edits}
          onCommand={obey}
          onCode={kind && hasCode(kind) ? () => setShowsCode(!showsCode) : undefined}
        />
      </header>
      {marks && <SessionMarks marks={marks} isBusy={isBusy} onUpstream={() => obey("runUpstream")} />}
      {kind && (
        <CellForm
          key={`${cell.id} ${cell.kind}`}
          notebook={notebook.name}
          cell={cell}
          kind={kind}
          text={text}
          names={names}
          showsCode={showsCode}
          onCommand={obey}
        />
      )}
      <CellOutput notebook={notebook.name} cell={shown} isOld={shown !== cell} onExplain={explain} />
    </section>
    // biome-ignore-end lint/a11y/noNoninteractiveTabindex: as above
  );
}

/** Whether a cell can be shown as SQL or as Python. Text, parameters and Python are what they say. */
function hasCode({ has_preview, name }: Kind): boolean {
  return has_preview || !["python", "markdown", "parameters", "drop_dataset"].includes(name);
}
