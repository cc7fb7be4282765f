import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client";
import { fetchComparison, type Notebook } from "../api/notebooks";
import { setParams } from "../state/params";
import { count, number } from "../text/words";
import { Notice } from "../ui/Notice";
import { Skeleton } from "../ui/Skeleton";
import styles from "./Compare.module.css";
import { differences } from "./compareWords";
import { Diff } from "./Diff";

/** Two versions of a notebook side by side: the cells that say something else, and the datasets that came out otherwise. */
export function Compare({ notebook, versions }: { notebook: Notebook; versions: string }) {
  const [before = 0, after = 0] = versions.split("-").map(Number);
  const query = useQuery({
    queryKey: ["compare", notebook.name, before, after],
    queryFn: ({ signal }) => fetchComparison(notebook.name, before, after, signal),
  });
  const close = () => setParams({ compare: undefined }, true);
  return (
    <div className={styles.compare}>
      <div className={styles.banner}>
        <h1 className={styles.title}>{`Version ${before} against version ${after}`}</h1>
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </div>
      {query.isError && (
        <Notice title={query.error.message} isError action={{ label: "Retry", run: () => void query.refetch() }} />
      )}
      {query.isPending && <Skeleton label="Comparing" />}
      {query.data && <Found comparison={query.data} />}
    </div>
  );
}

function Found({ comparison }: { comparison: Schemas["Comparison"] }) {
  const { cells, datasets } = comparison;
  return (
    <>
      <h2 className={styles.part}>{cells.length === 0 ? "All cells say the same." : count(cells.length, "cell")}</h2>
      {cells.map((each) => (
        <Diff key={each.cell} change={each} />
      ))}
      <h2 className={styles.part}>
        {datasets.length === 0 ? "No dataset came out otherwise." : count(datasets.length, "dataset")}
      </h2>
      {datasets.length > 0 && (
        <table className={styles.datasets}>
          <thead>
            <tr>
              <th scope="col">Dataset</th>
              <th scope="col">Rows before</th>
              <th scope="col">Rows after</th>
              <th scope="col">What differs</th>
            </tr>
          </thead>
          <tbody>
            {datasets.map((each) => (
              <tr key={each.name}>
                <th scope="row">{each.name}</th>
                <td>{each.rows_before === null ? "not made" : number(each.rows_before)}</td>
                <td>{each.rows_after === null ? "not made" : number(each.rows_after)}</td>
                <td>
                  {differences(each).map((words) => (
                    <span key={words} className={styles.difference}>
                      {words}
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
