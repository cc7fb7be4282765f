import styles from "./DoubtBadge.module.css";
import { Icon } from "./Icon";

/** Says in a small red label that something is doubtful. */
export function DoubtBadge({ children, title }: { children: string; title?: string }) {
  return (
    <span className={styles.badge} title={title}>
      <Icon name="warn" size={12} />
      {children}
    </span>
  );
}
