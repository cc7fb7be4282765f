import { useState } from "react";
import type { Kind } from "../api/notebooks";
import styles from "./AddCell.module.css";
import { KindButton } from "./KindButton";
import { KindMenu } from "./KindMenu";

const FIRST = ["sql", "python", "markdown"];

type Props = { kinds: Kind[]; onAdd: (kind: string) => void; onFile: (file: File) => void; isQuiet?: boolean };

/** The place where a new cell goes: the usual kinds at hand, all others behind one button. */
export function AddCell({ kinds, onAdd, onFile, isQuiet = false }: Props) {
  const [showsAll, setShowsAll] = useState(false);
  const usual = FIRST.flatMap((name) => kinds.filter((kind) => kind.name === name));
  const choose = (kind: string) => {
    setShowsAll(false);
    onAdd(kind);
  };
  return (
    <>
      <div className={styles.bar} data-quiet={isQuiet || undefined}>
        <label className={styles.kind}>
          + file…
          <input
            type="file"
            className="visually-hidden"
            onChange={(event) => {
              const file = event.target.files?.[0];
              if (file) onFile(file);
              event.target.value = "";
            }}
          />
        </label>
        {!showsAll && usual.map((kind) => <KindButton key={kind.name} kind={kind} onChoose={choose} />)}
        <button type="button" className={styles.kind} aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? "fewer" : "more…"}
        </button>
      </div>
      {showsAll && <KindMenu kinds={kinds} onChoose={choose} />}
    </>
  );
}
