import { useEffect, useRef } from "react";
import styles from "./CellRefusal.module.css";
import type { Refusal } from "./useCellText";

type Props = {
  refusal: Refusal;
  /** What the cell says on the server. */
  stored: string;
  onSaveAnyway: () => void;
  /** Forgets what was typed. */
  onTakeTheirs: () => void;
};

/** Why the server did not take what was typed; in a conflict the user sees both texts and decides. */
export function CellRefusal({ refusal, stored, onSaveAnyway, onTakeTheirs }: Props) {
  const { message, hint, isConflict } = refusal;
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for every refusal
  useEffect(() => {
    // Browsers may return a promise, which React would take for what undoes the effect.
    place.current?.scrollIntoView({ block: "nearest" });
  }, [refusal]);
  return (
    <div ref={place} className={styles.problem} role="alert">
      <p>{`${message} ${hint}`.trim()}</p>
      {isConflict && (
        <>
          <p className={styles.label}>The cell now says:</p>
          <pre className={styles.theirs}>{stored}</pre>
          <div className={styles.ways}>
            <button type="button" className="button" onClick={onSaveAnyway}>
              Save mine all the same
            </button>
            <button type="button" className="button" onClick={onTakeTheirs}>
              Take theirs
            </button>
          </div>
        </>
      )}
    </div>
  );
}
