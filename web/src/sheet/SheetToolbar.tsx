import { count, number } from "../text/words";
import { PlaceLink } from "../ui/PlaceLink";
import type { SheetSession } from "./SheetSession";
import styles from "./SheetToolbar.module.css";

type Props = {
  session: SheetSession;
  newest: number;
  hasSelection: boolean;
  onUndo: () => void;
  onRedo: () => void;
  onRowMenu: (anchor: DOMRect) => void;
  onColumnMenu: (anchor: DOMRect) => void;
  onFind: () => void;
  onApply: () => void;
  onDiscard: () => void;
  onReopen: () => void;
};

/** What the sheet is over, what can be done, and what is pending. */
export function SheetToolbar(props: Props) {
  const { session, newest, hasSelection } = props;
  const { sheet, pending } = session;
  return (
    <div className={styles.bar}>
      <h1 className={styles.name}>{sheet.dataset}</h1>
      <span className={styles.muted}>
        version {sheet.version}
        {newest !== sheet.version && ` (${newest} is the newest)`}
      </span>
      <PlaceLink className={styles.link} place={{ dataset: sheet.dataset }}>
        View
      </PlaceLink>
      <span className={styles.space} />
      <button type="button" className="button" onClick={props.onUndo} disabled={pending === 0} title="Ctrl Z">
        Undo
      </button>
      <button
        type="button"
        className="button"
        onClick={props.onRedo}
        disabled={sheet.undone === 0}
        title="Ctrl Shift Z"
      >
        Redo
      </button>
      <button
        type="button"
        className="button"
        aria-haspopup="menu"
        disabled={!hasSelection && session.count > 0}
        onClick={(event) => props.onRowMenu(event.currentTarget.getBoundingClientRect())}
      >
        Row ⌄
      </button>
      <button
        type="button"
        className="button"
        aria-haspopup="menu"
        disabled={!hasSelection}
        onClick={(event) => props.onColumnMenu(event.currentTarget.getBoundingClientRect())}
      >
        Column ⌄
      </button>
      <button type="button" className="button" onClick={props.onFind} title="Ctrl F, Ctrl H">
        Find
      </button>
      <span className={styles.pending} data-some={pending > 0 || undefined} role="status">
        {pending === 0 ? "No edits" : `${number(pending)} pending`}
      </span>
      <button type="button" className="button" onClick={props.onDiscard} disabled={pending === 0}>
        Discard
      </button>
      <button type="button" className="primary" onClick={props.onApply} disabled={pending === 0 || session.unsent > 0}>
        Apply
      </button>
      {session.isOffline && (
        <p role="alert" className={styles.strip}>
          The server does not answer. {count(session.unsent, "edit waits", "edits wait")} in this browser and will be
          sent when it is back.
        </p>
      )}
      {sheet.lost.length > 0 && (
        <details className={styles.strip}>
          <summary>{count(sheet.lost.length, "edit finds", "edits find")} nothing to be applied to</summary>
          <ul>
            {sheet.lost.slice(0, 50).map((lost, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two edits may be lost for the same reason
              <li key={i}>
                {lost.sentence} Not applied, because {lost.why}.
              </li>
            ))}
          </ul>
        </details>
      )}
      {session.problem && (
        <p role="alert" className={styles.strip}>
          {session.problem.message}{" "}
          <button
            type="button"
            className="button"
            onClick={() => (session.isGone ? props.onReopen() : session.dismiss())}
          >
            {session.isGone ? "Open a new sheet" : "Close"}
          </button>
        </p>
      )}
    </div>
  );
}
