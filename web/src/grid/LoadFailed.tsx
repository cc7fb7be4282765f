import styles from "./GridFrame.module.css";

/** Lies over the rows that could not be fetched. */
export function LoadFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <div role="alert" className={styles.failed}>
      <span>{error.message}</span>
      <button type="button" className="button" onClick={onRetry}>
        Retry
      </button>
    </div>
  );
}
