import { say, useToast } from "../state/toast";
import styles from "./ToastLine.module.css";

/** What was just done, in passing, with a way to look at it or take it back. */
export function ToastLine() {
  const toast = useToast();
  return (
    <div className={styles.place} role="status" aria-live="polite">
      {toast && (
        <div className={styles.toast}>
          <span>{toast.text}</span>
          {toast.action && (
            <button
              type="button"
              className={styles.act}
              onClick={() => {
                toast.action?.run();
                say(undefined);
              }}
            >
              {toast.action.label}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
