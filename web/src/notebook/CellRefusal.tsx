import styles from "./CellForm.module.css";
import type { Refusal } from "./useCellText";

type Props = {
  refusal: Refusal;
  /** What the cell says on the server. */
  stored: string;
  onSaveAnyway: () => void;
};

/** Why the server did not take what was typed; in a conflict the user sees both texts and decides. */
export function CellRefusal({ refusal: { message, hint, isConflict }, stored, onSaveAnyway }: Props) {
  return (
    <div className={styles.problem} role="alert">
      <p>{`${message} ${hint}`.trim()}</p>
      {isConflict && (
        <>
          <p>The cell now says:</p>
          <pre className={styles.theirs}>{stored}</pre>
          <button type="button" className="button" onClick={onSaveAnyway}>
            Save mine all the same
          </button>
        </>
      )}
    </div>
  );
}
