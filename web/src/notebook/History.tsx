import { useState } from "react";
import type { Edits, Notebook } from "../api/notebooks";
import { useHistory } from "../api/notebooks";
import styles from "./History.module.css";

const SHOWN = 200;

/** Every version of every branch, newest first: bring one back, or go on from it on a branch of its own. */
export function History({ notebook, edits }: { notebook: Notebook; edits: Edits }) {
  const history = useHistory(notebook.name, notebook.version);
  const [from, setFrom] = useState<number>();
  const versions = [...(history.data ?? [])].reverse().slice(0, SHOWN);
  return (
    <aside className={styles.history} aria-label="History">
      <h2 className={styles.title}>History</h2>
      <ol className={styles.list}>
        {versions.map((version) => (
          <li
            key={version.version}
            className={styles.version}
            aria-current={version.version === notebook.version || undefined}
          >
            <span className={styles.number}>{version.version}</span>
            <span className={styles.action}>
              {`${version.action}${version.cell ? ` ${version.cell}` : ""}`}
              {version.is_side && <em> (kept aside)</em>}
            </span>
            <span className={styles.meta}>{`${version.branch} · ${clock(version.time)}`}</span>
            {version.version !== notebook.version && (
              <span className={styles.acts}>
                <button type="button" onClick={() => edits.restore.mutate(version.version)}>
                  Restore
                </button>
                <button type="button" onClick={() => setFrom(version.version)}>
                  Branch
                </button>
              </span>
            )}
            {from === version.version && (
              <form
                className={styles.branch}
                onSubmit={(event) => {
                  event.preventDefault();
                  const name = String(new FormData(event.currentTarget).get("branch") ?? "").trim();
                  if (!name) return;
                  edits.branch.mutate(
                    { name, at: version.version },
                    { onSuccess: () => edits.checkOut.mutate(name), onSettled: () => setFrom(undefined) },
                  );
                }}
              >
                <input name="branch" aria-label="Name of the branch" placeholder="name of the branch" />
                <button type="submit">Make</button>
              </form>
            )}
          </li>
        ))}
      </ol>
    </aside>
  );
}

function clock(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? time : at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}
