import { rowWords } from "../text/cellName";
import { count } from "../text/words";
import { PlaceLink } from "../ui/PlaceLink";
import type { FewRows } from "./api";
import styles from "./SingleRows.module.css";

/** A few rows that alone make the marks look odd: each can be looked at, none of them is a pattern. */
export function SingleRows({ few, input }: { few: FewRows; input: string }) {
  return (
    <section className={styles.few} aria-label="Single rows">
      <h3>{count(few.rows.length, "single row")}</h3>
      <p>{few.sentence}</p>
      <p className={styles.rows}>
        {`In ${input}: `}
        {few.rows.map((row) => (
          <PlaceLink key={row} place={{ dataset: input, row }}>
            {rowWords(row)}
          </PlaceLink>
        ))}
      </p>
    </section>
  );
}
