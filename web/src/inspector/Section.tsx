import { type ReactNode, useId } from "react";
import styles from "./Section.module.css";

/** A headed part of the inspector. */
export function Section({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h3 id={id} className={styles.title}>
          {title}
        </h3>
        {note && <span className={styles.note}>{note}</span>}
      </div>
      {children}
    </section>
  );
}
