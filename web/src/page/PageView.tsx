import { useEffect, useMemo, useState } from "react";
import { type Notebook, useEdits } from "../api/notebooks";
import type { LinkedCharts } from "../charts/api";
import { BrushChips } from "../charts/BrushChips";
import { useBrushes } from "../charts/useBrushes";
import { EditProblem } from "../notebook/EditProblem";
import { FaceSwitch } from "../notebook/FaceSwitch";
import { copied } from "../notebook/NotebookHeader";
import { useUndo } from "../notebook/useUndo";
import { say } from "../state/toast";
import { Icon } from "../ui/Icon";
import { Menu } from "../ui/Menu";
import { Notice } from "../ui/Notice";
import { AddToPage } from "./AddToPage";
import { MOST_LINKED, useLinked, usePageEdits } from "./api";
import type { Item } from "./grid";
import styles from "./Page.module.css";
import { PageGrid } from "./PageGrid";
import { useArrangement } from "./useArrangement";

/** The page of a notebook: charts, tables, texts and inputs as somebody arranged them, to look at and to use. */
export default function PageView({ notebook }: { notebook: Notebook }) {
  const isReadOnly = notebook.is_read_only ?? false;
  const edits = useEdits(notebook.name);
  const pageEdits = usePageEdits(notebook);
  const undo = useUndo(isReadOnly ? undefined : notebook, edits);
  const arrangement = useArrangement(notebook, pageEdits);
  const [isArranging, setArranging] = useState(false);
  const { items } = arrangement;
  const set = (values: Record<string, unknown>) =>
    pageEdits.setParameters.mutate(values, { onError: (error) => say({ text: error.message }) });
  useEffect(() => {
    // The style sheet for printing leaves out what is around the page.
    document.documentElement.dataset.prints = "page";
    return () => {
      delete document.documentElement.dataset.prints;
    };
  }, []);
  const hasInputs = items.some(({ shows }) => shows === "input");
  return (
    <div className={styles.scroll}>
      <header className={styles.head}>
        <h1>{notebook.name}</h1>
        <FaceSwitch notebook={notebook} face="page" />
        {isReadOnly && <span className={styles.version}>{`Version ${notebook.version}, shared for reading`}</span>}
        <span className={styles.space} />
        {!isReadOnly && (
          <>
            {isArranging && (
              <>
                <AddToPage notebook={notebook} items={items} onAdd={arrangement.add} />
                <button
                  type="button"
                  className="icon-button"
                  aria-label="Undo"
                  title="Undo: step the branch back (Ctrl Z)"
                  // Before a change is stored, undo would take back the one before it.
                  disabled={!arrangement.isStored}
                  onClick={() => undo("undo")}
                >
                  <Icon name="undo" />
                </button>
              </>
            )}
            <button type="button" className="button" onClick={() => setArranging(!isArranging)}>
              {isArranging ? "Done" : "Arrange"}
            </button>
            <Menu
              label="More about the page"
              items={[
                { label: "Print", run: () => setTimeout(() => window.print()) },
                {
                  label: "Copy a link to this version",
                  run: () => edits.share.mutate(notebook.version, { onSuccess: ({ link }) => void copied(link ?? "") }),
                },
              ]}
            />
          </>
        )}
      </header>
      {isReadOnly && hasInputs && (
        <p className={styles.note}>
          The inputs show the values with which this version was made. Who reads by a link cannot change them, so all
          readers see the same.
        </p>
      )}
      {isArranging && (
        <p className={styles.note}>
          Drag an item by its handle to move it, by its corner to resize it. On the handle, arrow keys move and Shift
          with arrow keys resizes.
        </p>
      )}
      {items.length === 0 && !isArranging ? (
        <Notice title="Nothing is on the page yet.">
          Choose Arrange, then Add: the charts, tables and texts of the notebook, and inputs for its parameters.
        </Notice>
      ) : isArranging ? (
        <PageGrid notebook={notebook} items={items} linked={undefined} arrangement={arrangement} onSet={set} />
      ) : (
        <Content notebook={notebook} items={items} onSet={set} />
      )}
      <EditProblem edits={edits} />
      <div className="visually-hidden" role="status">
        {isArranging && arrangement.announcement}
      </div>
    </div>
  );
}

type ContentProps = { notebook: Notebook; items: Item[]; onSet: (values: Record<string, unknown>) => void };

/** The items; their charts are linked, except for a reader of a link, for whom nothing is computed. */
function Content({ notebook, items, onSet }: ContentProps) {
  const charts = useMemo(() => versionsOf(notebook, items, "chart"), [notebook, items]);
  const tables = useMemo(() => versionsOf(notebook, items, "table"), [notebook, items]);
  const linked = useLinked(charts, tables, !notebook.is_read_only).data;
  const shared = { notebook, items, onSet };
  return linked ? (
    <Brushed key={linked.link} {...shared} linked={linked} tables={tables} />
  ) : (
    <PageGrid {...shared} linked={undefined} arrangement={undefined} />
  );
}

function Brushed({ linked, tables, ...shared }: ContentProps & { linked: LinkedCharts; tables: string[] }) {
  const brushes = useBrushes(linked);
  return (
    <>
      <div className={styles.brushes}>
        <BrushChips brushes={brushes} hint="Drag over a chart: the others, and the tables, follow." />
      </div>
      <PageGrid {...shared} linked={{ link: linked.link, tables, brushes }} arrangement={undefined} />
    </>
  );
}

/** The dataset versions of the charts, or of the tables, on a page, each once. */
function versionsOf(notebook: Notebook, items: Item[], shows: Item["shows"]): string[] {
  const found = items.flatMap((item) => {
    const made = notebook.cells.find(({ id }) => id === item.cell)?.datasets ?? [];
    const named = item.name === "" ? made[0] : made.find(({ name }) => name.toLowerCase() === item.name.toLowerCase());
    return item.shows === shows && named ? [`${named.name}@${named.version}`] : [];
  });
  return [...new Set(found)].slice(0, MOST_LINKED);
}
