import type { Schemas } from "../api/client";
import { ROLE_WORDS } from "../text/words";
import { columnId } from "./levels";
import styles from "./NodePanel.module.css";

type Props = { columns: Schemas["ColumnGraph"]; id: string; onSelect: (id: string) => void };
type Edge = Schemas["ColumnEdge"];

/** What a column was made of, what it went into, and the part that each played. */
export function ColumnParts({ columns, id, onSelect }: Props) {
  const node = columns.nodes.find((each) => columnId(each) === id);
  const behind = columns.edges.filter(({ target }) => columnId(target) === id);
  const ahead = columns.edges.filter(({ source }) => columnId(source) === id);
  const list = (title: string, edges: Edge[], end: "source" | "target") =>
    edges.length > 0 && (
      <section aria-label={title}>
        <h3 className={styles.part}>{title}</h3>
        <ul className={styles.values}>
          {edges.map((edge) => (
            <li key={`${columnId(edge[end])} ${edge.role}`}>
              <span title={ROLE_WORDS[edge.role].meaning}>{edge.role}</span>
              <button type="button" className={styles.go} onClick={() => onSelect(columnId(edge[end]))}>
                {`${edge[end].name} · ${edge[end].column}`}
              </button>
            </li>
          ))}
        </ul>
      </section>
    );
  if (node === undefined) return null;
  return (
    <>
      <p className={styles.facts}>{`holds ${node.type}${node.is_doubtful ? ", some of it doubtful" : ""}`}</p>
      {list("Made of", behind, "source")}
      {behind.length === 0 && <p className={styles.none}>It was loaded or created as it is.</p>}
      {list("Went into", ahead, "target")}
      <p className={styles.none}>A dashed line: it only decided which rows there are.</p>
    </>
  );
}
