import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { type Kind, type Notebook, useEdits, useKinds, useNotebook, useSession } from "../api/notebooks";
import { useDatasets } from "../api/queries";
import { namesOf } from "../editor/names";
import { usePasteOffer } from "../shell/usePasteOffer";
import { useParam } from "../state/params";
import { parsePlace, useSearch } from "../state/place";
import { Notice } from "../ui/Notice";
import { Skeleton } from "../ui/Skeleton";
import { AddCell } from "./AddCell";
import { CellCard } from "./CellCard";
import { Compare } from "./Compare";
import { FILE } from "./choice";
import { DropFile } from "./DropFile";
import { dependenciesOf, readsOf } from "./dependencies";
import { EditProblem } from "./EditProblem";
import { faceOf } from "./FaceSwitch";
import { focusCell, focusCellOnceThere } from "./focusCell";
import { History } from "./History";
import { NotebookHeader } from "./NotebookHeader";
import styles from "./NotebookView.module.css";
import { OldVersion } from "./OldVersion";
import { Outline } from "./Outline";
import { SharedNotebook } from "./SharedNotebook";
import { marksOf } from "./sessionMarks";
import { useCommands } from "./useCommands";
import { useNotebookKeys } from "./useNotebookKeys";
import { useUndo } from "./useUndo";

const AddMenu = lazy(() => import("./AddMenu"));
const PageView = lazy(() => import("../page/PageView"));

/** A notebook: its cells from top to bottom, and beside them how they hang together and how they came to be. */
export function NotebookView({ name }: { name: string }) {
  const query = useNotebook(name);
  const kinds = useKinds();
  const error = query.error ?? kinds.error;
  const asked = parsePlace(useSearch()).face;
  const [version] = useParam("version");
  const [compared] = useParam("compare");
  if (query.data && faceOf(query.data, asked) === "page" && version === undefined && compared === undefined)
    return (
      <Suspense fallback={<Skeleton label="Loading the page" lines={8} />}>
        <PageView notebook={query.data} />
      </Suspense>
    );
  if (query.data?.is_read_only) return <SharedNotebook notebook={query.data} />;
  if (query.data && kinds.data) return <Open notebook={query.data} kinds={kinds.data} />;
  if (query.isPending || kinds.isPending) return <Skeleton label="Loading the notebook" lines={8} />;
  return (
    <Notice
      title={error?.message ?? "The notebook could not be read."}
      isError
      action={{ label: "Retry", run: () => void query.refetch() }}
    />
  );
}

function Open({ notebook, kinds }: { notebook: Notebook; kinds: Kind[] }) {
  const edits = useEdits(notebook.name);
  const datasets = useDatasets().data;
  const undo = useUndo(notebook, edits);
  const isSession = notebook.mode === "session";
  const session = useSession(notebook.name, isSession).data;
  const [focused, setFocused] = useState<string>();
  const [adding, setAdding] = useState<{ position: number; anchor?: DOMRect }>();
  const upload = useRef<HTMLInputElement>(null);
  const uploadPosition = useRef(0);
  const chooseKind = (position: number) => setAdding({ position });
  useNotebookKeys(notebook, edits, focused, chooseKind);
  const [lit, setLit] = useState<string>();
  const [version] = useParam("version");
  const [compared] = useParam("compare");
  const names = useMemo(() => namesOf(datasets ?? [], notebook.cells), [datasets, notebook.cells]);
  const { act, add } = useCommands(notebook, kinds, names, edits, () => undo("undo"), chooseKind);
  const dependencies = useMemo(() => dependenciesOf(notebook.cells), [notebook.cells]);
  const load = (file: File, position: number) =>
    edits.load.mutate({ file, position }, { onSuccess: ({ cell }) => focusCellOnceThere(cell?.id) });
  const choose = (kind: string, position: number) => {
    if (kind !== FILE) return add(kind, position);
    uploadPosition.current = position;
    upload.current?.click();
  };
  const isNow = version === undefined && compared === undefined;
  const here = notebook.cells.findIndex((cell) => cell.id === focused);
  const pastePosition = here >= 0 ? here + 1 : notebook.cells.length;
  const paste = usePasteOffer((files) => {
    for (const file of files) load(file, pastePosition);
  }, isNow);
  const maker = (dataset: string) =>
    notebook.cells.findLast((cell) => cell.datasets.some((made) => made.name === dataset))?.id;
  return (
    <DropFile onFile={(file) => load(file, notebook.cells.length)}>
      <div className={styles.layout}>
        <div className={styles.scroll}>
          {compared !== undefined ? (
            <Compare notebook={notebook} versions={compared} />
          ) : version !== undefined ? (
            <OldVersion notebook={notebook} version={Number(version)} edits={edits} />
          ) : (
            <>
              <NotebookHeader notebook={notebook} session={session} edits={edits} onUndo={undo} />
              <ol className={styles.cells}>
                {notebook.cells.map((cell, position) => (
                  <li key={cell.id}>
                    <CellCard
                      notebook={notebook}
                      cell={cell}
                      kind={kinds.find((each) => each.name === cell.kind)}
                      edits={edits}
                      names={names}
                      marks={isSession && cell.kind === "python" ? marksOf(cell.id, session) : undefined}
                      isLit={
                        lit !== undefined &&
                        (readsOf(cell).includes(lit) || cell.datasets.some((made) => made.name === lit))
                      }
                      onCommand={(command) => act(command, cell)}
                      onFocus={() => setFocused(cell.id)}
                      onLight={setLit}
                      onGo={(dataset) => focusCell(maker(dataset))}
                    />
                    <AddCell
                      isBetween={position < notebook.cells.length - 1}
                      onOpen={(anchor) => setAdding({ position: position + 1, anchor })}
                    />
                  </li>
                ))}
              </ol>
              {notebook.cells.length === 0 && (
                <div className={styles.empty}>
                  <Notice title="This notebook is empty.">
                    Drop a file anywhere on this page, paste rows of a table (Ctrl V), write a query, or start with a
                    note.
                  </Notice>
                  <AddCell isBetween={false} onOpen={(anchor) => setAdding({ position: 0, anchor })} />
                </div>
              )}
            </>
          )}
          <EditProblem edits={edits} />
          <input
            ref={upload}
            type="file"
            hidden
            aria-label="A file to load"
            onChange={(event) => {
              const file = event.target.files?.[0];
              if (file) load(file, uploadPosition.current);
              event.target.value = "";
            }}
          />
          {paste.dialog}
          {adding && (
            <Suspense>
              <AddMenu
                kinds={kinds}
                anchor={adding.anchor}
                onChoose={(kind) => choose(kind, adding.position)}
                onClose={() => setAdding(undefined)}
              />
            </Suspense>
          )}
        </div>
        <aside className={styles.side} aria-label="Outline and history">
          <section className={styles.part} aria-label="Outline">
            <h2 className={styles.title}>Outline</h2>
            <Outline
              notebook={notebook}
              dependencies={dependencies}
              focused={focused}
              onGo={(cell) => focusCell(cell)}
            />
          </section>
          <History notebook={notebook} edits={edits} />
        </aside>
      </div>
    </DropFile>
  );
}
