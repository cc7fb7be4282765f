import type { ReactNode, RefObject } from "react";
import { keysFor } from "../state/keymap";
import { setParams } from "../state/params";
import type { Direction } from "./graph";
import type { Level, Whole } from "./levels";
import styles from "./Toolbar.module.css";

type Props = {
  level: Level;
  levels: Level[];
  direction: Direction;
  depth: number;
  isTall: boolean;
  nodes: Whole["nodes"];
  search: RefObject<HTMLInputElement | null>;
  onTall: () => void;
  onFind: (id: string) => void;
  /** What a level adds of its own. */
  children?: ReactNode;
};

const DIRECTIONS: [Direction, string][] = [
  ["up", "sources"],
  ["both", "both"],
  ["down", "results"],
];
const DEEPEST = 5;

/** What the graph shows: which level, which way, how far; and a search for a node. */
export function Toolbar(props: Props) {
  const { level, levels, direction, depth, isTall, nodes, search, onTall, onFind, children } = props;
  const find = (text: string) => {
    const found = nodes.find((node) => node.title.toLowerCase().includes(text.trim().toLowerCase()));
    if (text.trim() !== "" && found) onFind(found.id);
  };
  return (
    <header className={styles.bar}>
      <h1 className={styles.title}>Lineage</h1>
      <fieldset className="segments">
        <legend className="visually-hidden">Level</legend>
        {levels.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === level}
            onClick={() => setParams({ level: each, node: undefined })}
          >
            {each}
          </button>
        ))}
      </fieldset>
      {level !== "values" && level !== "rows" && (
        <>
          <fieldset className="segments">
            <legend className="visually-hidden">Direction</legend>
            {DIRECTIONS.map(([each, words]) => (
              <button
                key={each}
                type="button"
                aria-pressed={each === direction}
                onClick={() => setParams({ direction: each === "both" ? undefined : each })}
              >
                {words}
              </button>
            ))}
          </fieldset>
          {level !== "columns" && (
            <label className={styles.depth}>
              Depth
              <input
                type="range"
                min={1}
                max={DEEPEST}
                value={depth}
                onChange={(event) => setParams({ depth: event.target.value })}
              />
              <output>{depth}</output>
            </label>
          )}
        </>
      )}
      {children}
      <span className={styles.space} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          find(search.current?.value ?? "");
        }}
      >
        <input
          ref={search}
          type="search"
          className={styles.search}
          aria-label="Find in the graph"
          placeholder={`Find… ( ${keysFor("findNode")} )`}
        />
      </form>
      <button type="button" className="button" aria-pressed={isTall} onClick={onTall}>
        {isTall ? "Top to bottom" : "Left to right"}
      </button>
    </header>
  );
}
