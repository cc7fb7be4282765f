import type { Notebook } from "../api/notebooks";
import { Sql } from "../ui/Sql";
import { CellOutput } from "./CellOutput";
import { FaceSwitch } from "./FaceSwitch";
import styles from "./SharedNotebook.module.css";
import { fileOf } from "./uploads";
import { asText } from "./values";

/** One version of a notebook as a link shows it: what its cells say and gave, and nothing to change. */
export function SharedNotebook({ notebook }: { notebook: Notebook }) {
  return (
    <div className={styles.scroll}>
      <header className={styles.head}>
        <h1>{notebook.name}</h1>
        {(notebook.page?.length ?? 0) > 0 && <FaceSwitch notebook={notebook} face="notebook" />}
        <p>{`Version ${notebook.version}, shared for reading`}</p>
      </header>
      <ol className={styles.cells}>
        {notebook.cells
          .filter((cell) => cell.status !== "draft")
          .map((cell) => (
            <li key={cell.id}>
              <section className={styles.cell} aria-label={`Cell ${cell.id}, ${cell.kind}`}>
                {cell.kind !== "markdown" && (
                  <div className={styles.said}>
                    <p className={styles.kind}>{cell.kind}</p>
                    {cell.kind === "load" ? (
                      <code>{fileOf(asText(cell.values.source)) ?? asText(cell.values.source)}</code>
                    ) : (
                      <Sql text={asText(cell.values.source)} />
                    )}
                  </div>
                )}
                <CellOutput notebook={notebook.name} cell={cell} isOld={false} />
              </section>
            </li>
          ))}
      </ol>
    </div>
  );
}
