import { useMemo, useState } from "react";
import type { Edits, Notebook } from "../api/notebooks";
import { useHistory } from "../api/notebooks";
import { setParams, useParam } from "../state/params";
import styles from "./History.module.css";
import { layOutHistory } from "./lanes";
import { VersionPreview } from "./VersionPreview";
import { said, when } from "./versionWords";

const SHOWN = 200;
const ROW = 46;
const LANE = 14;
const LEFT = 10;

/** Every version of every branch as a tree, newest on top: look at one, compare it, bring it back, or branch off. */
export function History({ notebook, edits }: { notebook: Notebook; edits: Edits }) {
  const history = useHistory(notebook.name, notebook.version);
  const [from, setFrom] = useState<number>();
  const [hovered, setHovered] = useState<number>();
  const [viewed] = useParam("version");
  const versions = useMemo(() => [...(history.data ?? [])].reverse().slice(0, SHOWN), [history.data]);
  const lanes = useMemo(() => layOutHistory(versions), [versions]);
  const gutter = LEFT + lanes.width * LANE;
  const x = (lane: number) => LEFT + lane * LANE;
  const y = (row: number) => row * ROW + 15;
  return (
    <section className={styles.history} aria-label="History">
      <h2 className={styles.title}>History</h2>
      {history.isError && <p className={styles.meta}>{history.error.message}</p>}
      <div className={styles.tree}>
        <svg className={styles.lines} width={gutter} height={versions.length * ROW} aria-hidden="true">
          {lanes.lines.map(({ from, to }) => (
            <path
              key={`${from.version} ${to.version}`}
              d={`M${x(from.lane)} ${y(from.row)}C${x(from.lane)} ${y(from.row) - 20} ${x(to.lane)} ${y(to.row) + 24} ${x(to.lane)} ${y(to.row)}`}
            />
          ))}
          {lanes.spots.map(({ version, row, lane }) => (
            <circle
              key={version}
              cx={x(lane)}
              cy={y(row)}
              r={4}
              data-head={version === notebook.version || undefined}
            />
          ))}
        </svg>
        <ol className={styles.list}>
          {versions.map((version) => (
            <li
              key={version.version}
              className={styles.version}
              aria-current={version.version === notebook.version || undefined}
              data-viewed={String(version.version) === viewed || undefined}
              onMouseEnter={() => setHovered(version.version)}
              onMouseLeave={() => setHovered(undefined)}
            >
              <button
                type="button"
                className={styles.open}
                onClick={() =>
                  setParams(
                    {
                      version: version.version === notebook.version ? undefined : String(version.version),
                      compare: undefined,
                    },
                    true,
                  )
                }
                onFocus={() => setHovered(version.version)}
                onBlur={() => setHovered(undefined)}
              >
                <span className={styles.action}>{said(version, notebook)}</span>
                <span className={styles.meta}>
                  {`${version.version} · ${version.branch}${version.is_side ? ", kept aside" : ""} · ${when(version.time)}`}
                </span>
              </button>
              {version.version !== notebook.version && (
                <span className={styles.acts}>
                  <button type="button" onClick={() => edits.restore.mutate(version.version)}>
                    Restore
                  </button>
                  <button type="button" onClick={() => setFrom(version.version)}>
                    Branch
                  </button>
                  <button
                    type="button"
                    onClick={() => {
                      setHovered(undefined); // it would cover what is compared
                      setParams({ compare: `${version.version}-${notebook.version}` }, true);
                    }}
                  >
                    Compare
                  </button>
                </span>
              )}
              {hovered === version.version && version.parent !== null && (
                <VersionPreview notebook={notebook.name} version={version.version} parent={version.parent} />
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
      </div>
    </section>
  );
}
