import type { Dataset } from "../api/client";
import { useCell } from "../api/queries";
import { isRow } from "../grid/PageCache";
import { BoundsLine } from "../inspector/BoundsLine";
import { CaveatSection } from "../inspector/CaveatSection";
import styles from "../inspector/Inspector.module.css";
import { Section } from "../inspector/Section";
import { TraceSection } from "../inspector/TraceSection";
import values from "../inspector/ValueSection.module.css";
import { show } from "../text/value";
import { DoubtBadge } from "../ui/DoubtBadge";
import { Icon } from "../ui/Icon";
import { Notice } from "../ui/Notice";
import { Skeleton } from "../ui/Skeleton";
import { CellHistory } from "./CellHistory";
import history from "./CellHistory.module.css";
import { lookOf, ownDoubt } from "./cellLook";
import { cellName } from "./letters";
import type { SheetSession } from "./SheetSession";
import type { Selection } from "./selection";

type Props = {
  session: SheetSession;
  dataset: Dataset;
  datasets: Dataset[];
  selection: Selection | undefined;
  onClose: () => void;
};

/** Everything known about the selected cell: what it shows now, what was done to it, and where its data came from. */
export function SheetInspector({ session, dataset, datasets, selection, onClose }: Props) {
  const cursor = selection?.cursor;
  const row = cursor && session.pages.row(cursor.row);
  const column = cursor && session.columns[cursor.column];
  const here = row !== undefined && isRow(row) && column && cursor ? { row, column, cursor } : undefined;
  const version = { ...dataset, version: session.sheet.version };
  const report = useCell(version, here?.row.rid ?? undefined, here?.column.base ?? undefined);
  const look = here && lookOf(session, here.row, here.column, here.cursor.column);
  const doubt = here && look && report.data && ownDoubt(look, here.column, report.data.suspect);
  return (
    <aside
      className={styles.inspector}
      data-region="inspector"
      data-idle={here === undefined || undefined}
      tabIndex={-1}
      aria-label="Inspector"
    >
      <header className={styles.bar}>
        <h2 className={styles.title}>
          {here ? (
            <>
              <span className={styles.column}>{here.column.name}</span>{" "}
              {cellName({ row: here.row.position, column: here.cursor.column })}
            </>
          ) : (
            "Inspector"
          )}
        </h2>
        <button type="button" className="icon-button" onClick={onClose} aria-label="Close the inspector">
          <Icon name="close" />
        </button>
      </header>
      {here === undefined || look === undefined ? (
        <Notice title="Select a cell to see where it came from.">
          Arrow keys move, typing edits, <kbd>F8</kbd> goes to the next doubtful cell, <kbd>Ctrl G</kbd> to any row.
        </Notice>
      ) : (
        <>
          <Section title="Value" note={here.column.type}>
            <p className={values.value} data-kind={look.kind} data-long={look.text.length > 28 || undefined}>
              {look.text}
            </p>
            {look.source.startsWith("=") && <code className={history.formula}>{look.source}</code>}
            <p className={values.trust}>
              {look.isDoubtful && <DoubtBadge>doubtful value</DoubtBadge>}
              {here.row.isDoubtful && <DoubtBadge>doubtful row</DoubtBadge>}
              {look.isEdited && <span className={values.sure}>{look.isPending ? "On its way." : "Edited here."}</span>}
              {!look.isDoubtful && !here.row.isDoubtful && !look.isEdited && (
                <span className={values.sure}>No doubt reaches this cell.</span>
              )}
            </p>
            {report.data?.suspect && !look.isEdited && (
              <BoundsLine key={`${report.data.row} ${report.data.column}`} report={report.data} />
            )}
            {doubt && <p className={history.why}>{doubt}</p>}
            {look.problem && (
              <p className={history.problem} role="alert">
                {look.problem}
              </p>
            )}
            {session.typed(here.row, here.column.name)?.problem && (
              <button
                type="button"
                className={`button ${history.actions}`}
                onClick={() => session.giveUp(here.row, here.column.name)}
              >
                Give up what was typed
              </button>
            )}
          </Section>
          <CellHistory
            session={session}
            row={here.row}
            column={here.column.name}
            before={report.data && show(report.data.value).text}
          />
          {here.row.rid === null || here.column.base === null ? (
            <Section title="Where it came from">
              <p className={values.sure}>
                {here.column.base === null ? "The column" : "The row"} was inserted here; there is no data behind it.
              </p>
            </Section>
          ) : report.isError ? (
            <Notice
              title={report.error.message}
              isError
              action={{ label: "Retry", run: () => void report.refetch() }}
            />
          ) : report.data ? (
            <>
              {look.isEdited && (
                <p className={history.below}>Below: the data under the edit, and what is doubtful about that.</p>
              )}
              <TraceSection report={report.data} dataset={version} datasets={datasets} />
              {(doubt === undefined || report.data.caveats.length > 0) && (
                <CaveatSection report={report.data} datasets={datasets} />
              )}
            </>
          ) : (
            <Skeleton label="Tracing the cell" lines={7} />
          )}
        </>
      )}
    </aside>
  );
}
