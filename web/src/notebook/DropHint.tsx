import styles from "./DropFile.module.css";

/** Says, over whatever a file hovers, what happens when it is dropped. */
export function DropHint() {
  return (
    <div className={styles.over} role="status">
      <span className={styles.call}>Drop the file to load it</span>
    </div>
  );
}
