import { useId } from "react";
import type { Kind } from "../api/notebooks";
import { groupKinds } from "./groupKinds";
import { KindButton } from "./KindButton";
import styles from "./KindMenu.module.css";

type Props = { kinds: Kind[]; onChoose: (kind: string) => void };

/** Every kind of cell, by what it is for. */
export function KindMenu({ kinds, onChoose }: Props) {
  const id = useId();
  return (
    <div className={styles.menu}>
      {groupKinds(kinds).map(({ group, members }) => (
        <section key={group} className={styles.group} aria-labelledby={`${id}-${group}`}>
          <h3 id={`${id}-${group}`}>{group}</h3>
          <div className={styles.members}>
            {members.map((kind) => (
              <KindButton key={kind.name} kind={kind} onChoose={onChoose} />
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}
