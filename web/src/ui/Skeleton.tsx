import styles from "./Skeleton.module.css";

/** Grey bars of the shape of what is coming; they appear only if it takes more than a blink. */
export function Skeleton({ label, lines = 4 }: { label: string; lines?: number }) {
  return (
    <div className={styles.skeleton} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike
        <span key={i} className={styles.bar} />
      ))}
    </div>
  );
}
