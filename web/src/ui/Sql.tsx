import styles from "./Sql.module.css";
import { sqlTokens } from "./sqlTokens";

/** SQL text with keywords, text and numbers set apart. */
export function Sql({ text }: { text: string }) {
  return (
    <pre className={styles.sql}>
      <code>
        {sqlTokens(text).map(({ start, kind, text: part }) => (
          <span key={start} data-kind={kind}>
            {part}
          </span>
        ))}
      </code>
    </pre>
  );
}
