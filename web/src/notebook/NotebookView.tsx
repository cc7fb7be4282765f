import { useEdits, useKinds, useNotebook } from "../api/notebooks";
import { Notice } from "../ui/Notice";
import { Skeleton } from "../ui/Skeleton";
import { AddCell } from "./AddCell";
import { CellCard } from "./CellCard";
import { EditProblem } from "./EditProblem";
import { History } from "./History";
import { NotebookHeader } from "./NotebookHeader";
import styles from "./NotebookView.module.css";
import { startingValues } from "./values";

/** A notebook: its cells from top to bottom, and beside them how it came to be. */
export function NotebookView({ name }: { name: string }) {
  const query = useNotebook(name);
  const kinds = useKinds();
  const edits = useEdits(name);
  if (query.isPending || kinds.isPending) return <Skeleton label="Loading the notebook" lines={8} />;
  const error = query.error ?? kinds.error;
  if (error || !query.data || !kinds.data)
    return (
      <Notice
        title={error?.message ?? "The notebook could not be read."}
        isError
        action={{ label: "Retry", run: () => void query.refetch() }}
      />
    );
  const notebook = query.data;
  const add = (kind: string, position: number) => {
    const chosen = kinds.data.find((each) => each.name === kind);
    edits.add.mutate({ kind, values: startingValues(chosen, notebook), position });
  };
  const load = (file: File, position: number) => edits.load.mutate({ file, position });
  return (
    <div className={styles.layout}>
      <div className={styles.scroll}>
        <NotebookHeader notebook={notebook} edits={edits} />
        <ol className={styles.cells}>
          {notebook.cells.map((cell, position) => (
            <li key={cell.id}>
              <CellCard
                notebook={notebook}
                cell={cell}
                kind={kinds.data.find((each) => each.name === cell.kind)}
                edits={edits}
                position={position}
              />
              <AddCell
                kinds={kinds.data}
                onAdd={(kind) => add(kind, position + 1)}
                onFile={(file) => load(file, position + 1)}
                isQuiet
              />
            </li>
          ))}
        </ol>
        {notebook.cells.length === 0 && (
          <div className={styles.empty}>
            <Notice title="This notebook is empty.">Load a file, write a query, or start with a note.</Notice>
            <AddCell kinds={kinds.data} onAdd={(kind) => add(kind, 0)} onFile={(file) => load(file, 0)} />
          </div>
        )}
        <EditProblem edits={edits} />
      </div>
      <History notebook={notebook} edits={edits} />
    </div>
  );
}
