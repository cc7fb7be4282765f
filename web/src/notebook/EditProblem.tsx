import type { Edits } from "../api/notebooks";
import styles from "./EditProblem.module.css";

/** Why the last thing that was asked of the notebook was not done, where it is seen however far one has scrolled. */
export function EditProblem({ edits }: { edits: Edits }) {
  const failed = Object.entries(edits).find(([name, edit]) => name !== "change" && edit.error !== null)?.[1];
  if (failed === undefined) return null;
  return (
    <div className={styles.problem} role="alert">
      {failed.error?.message}
      <button type="button" className="button" onClick={() => failed.reset()}>
        Close
      </button>
    </div>
  );
}
