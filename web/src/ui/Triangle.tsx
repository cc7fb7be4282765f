import styles from "./Triangle.module.css";

/** The corner mark of doubt, with words for those who do not see it. */
export function Triangle({ label }: { label: string }) {
  return (
    <>
      <svg className={styles.triangle} viewBox="0 0 8 8" aria-hidden="true">
        <path d="M0 0h8v8z" />
      </svg>
      <span className="visually-hidden">{label}</span>
    </>
  );
}
