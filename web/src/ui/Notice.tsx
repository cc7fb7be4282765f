import type { ReactNode } from "react";
import styles from "./Notice.module.css";

type Props = { title: string; children?: ReactNode; action?: { label: string; run: () => void }; isError?: boolean };

/** One sentence in place of content that is empty or failed, with at most one thing to do about it. */
export function Notice({ title, children, action, isError = false }: Props) {
  return (
    <div className={styles.notice} role={isError ? "alert" : undefined}>
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.detail}>{children}</div>}
      {action && (
        <button type="button" className="button" onClick={action.run}>
          {action.label}
        </button>
      )}
    </div>
  );
}
