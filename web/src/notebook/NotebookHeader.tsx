import type { Edits, Notebook, Session } from "../api/notebooks";
import { keysFor } from "../state/keymap";
import { say } from "../state/toast";
import { count } from "../text/words";
import { Icon } from "../ui/Icon";
import { Menu } from "../ui/Menu";
import { FaceSwitch } from "./FaceSwitch";
import styles from "./NotebookHeader.module.css";
import { SessionBar } from "./SessionBar";

type Props = {
  notebook: Notebook;
  session: Session | undefined;
  edits: Edits;
  onUndo: (direction: "undo" | "redo") => void;
};

/** A link is told once; where the clipboard is closed it is shown. */
export async function copied(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    say({ text: "Whoever has the link can read this version for 30 days. It is in the clipboard." });
  } catch {
    say({ text: `Whoever has this link can read this version for 30 days: ${link}` });
  }
}

/** Which notebook and branch this is, and what concerns all its cells. */
export function NotebookHeader({ notebook, session, edits, onUndo }: Props) {
  const busy = notebook.cells.filter((cell) => cell.status === "running" || cell.status === "waiting").length;
  const stale = notebook.cells.filter((cell) => cell.status === "stale").length;
  return (
    <div className={styles.header}>
      <h1 className={styles.name}>{notebook.name}</h1>
      <FaceSwitch notebook={notebook} face="notebook" />
      <label className={styles.pick}>
        <span className="visually-hidden">Branch</span>
        <select value={notebook.branch} onChange={(event) => edits.checkOut.mutate(event.target.value)}>
          {Object.keys(notebook.branches).map((branch) => (
            <option key={branch}>{branch}</option>
          ))}
        </select>
      </label>
      <span className={styles.version}>version {notebook.version}</span>
      <button
        type="button"
        className="icon-button"
        aria-label="Undo"
        title="Undo: step the branch back (Ctrl Z)"
        onClick={() => onUndo("undo")}
      >
        <Icon name="undo" />
      </button>
      <span className={styles.space} />
      <label
        className={styles.pick}
        title="Automatic runs what an edit made stale; lazy only marks it; in a session Python cells share variables."
      >
        <span className="visually-hidden">When cells run</span>
        <select
          value={notebook.mode}
          onChange={(event) => edits.setMode.mutate(event.target.value as Notebook["mode"])}
        >
          <option value="auto">Automatic</option>
          <option value="lazy">Lazy</option>
          <option value="session">Session</option>
        </select>
      </label>
      {notebook.mode === "session" && <SessionBar session={session} edits={edits} />}
      {stale > 0 && (
        <button
          type="button"
          className="button"
          onClick={() => edits.run.mutate({ what: "stale", again: false })}
        >{`Run ${count(stale, "stale cell")}`}</button>
      )}
      {busy > 0 ? (
        <button type="button" className="button" onClick={() => edits.cancel.mutate(undefined)}>
          {`Stop ${count(busy, "cell")}`}
        </button>
      ) : (
        <>
          <button
            type="button"
            className="button"
            onClick={() => edits.run.mutate({ what: "all", again: true })}
            title="Run every cell again"
          >
            Run all
          </button>
          <Menu
            label="More about the notebook"
            items={[
              { label: "Run pending", run: () => edits.run.mutate({ what: "all", again: false }) },
              {
                label: "Run stale",
                keys: keysFor("runStale"),
                run: () => edits.run.mutate({ what: "stale", again: false }),
              },
              { label: "Re-run all", run: () => edits.run.mutate({ what: "all", again: true }) },
              {
                label: "Copy a link to this version",
                run: () => edits.share.mutate(notebook.version, { onSuccess: ({ link }) => void copied(link ?? "") }),
              },
            ]}
          />
        </>
      )}
    </div>
  );
}
