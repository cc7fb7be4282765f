import type { Notebook, NotebookCell } from "../api/notebooks";
import { type Dependency, related } from "./dependencies";
import styles from "./Outline.module.css";
import { SIGNS } from "./signs";
import { titleOf } from "./title";

const ROW = 26;
const LANE = 9;
const LANES = 5;

type Props = {
  notebook: Notebook;
  dependencies: Dependency[];
  focused: string | undefined;
  onGo: (cell: string) => void;
};

/** All cells in short, with the lines along which data goes from one to the next; those of the focused cell are lit. */
export function Outline({ notebook, dependencies, focused, onGo }: Props) {
  const up = focused === undefined ? new Set<string>() : related(focused, dependencies, "up");
  const down = focused === undefined ? new Set<string>() : related(focused, dependencies, "down");
  const isLit = ({ from, to }: Dependency) =>
    (up.has(from) && (up.has(to) || to === focused)) || (down.has(to) && (down.has(from) || from === focused));
  const places = new Map(notebook.cells.map((cell, position) => [cell.id, position]));
  if (notebook.cells.length === 0) return <p className={styles.none}>No cells yet.</p>;
  return (
    <div className={styles.outline}>
      <svg className={styles.lines} width={LANE * LANES + 8} height={notebook.cells.length * ROW} aria-hidden="true">
        {dependencies.map((each) => (
          <path
            key={`${each.from} ${each.to} ${each.dataset}`}
            d={arc(places.get(each.from) ?? 0, places.get(each.to) ?? 0)}
            data-lit={isLit(each) || undefined}
          />
        ))}
        {notebook.cells.map((cell, position) => (
          <circle
            key={cell.id}
            cx={LANE * LANES}
            cy={position * ROW + ROW / 2}
            r={3.5}
            data-status={cell.status}
            data-lit={cell.id === focused || up.has(cell.id) || down.has(cell.id) || undefined}
          />
        ))}
      </svg>
      <ol className={styles.cells}>
        {notebook.cells.map((cell) => (
          <li key={cell.id} data-part={part(cell, focused, up, down)}>
            <button
              type="button"
              className={styles.cell}
              aria-current={cell.id === focused || undefined}
              title={said(cell, focused, up, down)}
              onClick={() => onGo(cell.id)}
            >
              <span className={styles.title}>{titleOf(cell)}</span>
              {cell.status !== "ready" && (
                <span className={styles.sign} data-status={cell.status}>
                  {SIGNS[cell.status]}
                  <span className="visually-hidden">{cell.status}</span>
                </span>
              )}
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** A line from one cell to another; the farther they are apart, the wider it swings. */
function arc(from: number, to: number): string {
  const x = LANE * LANES;
  const [y, z] = [from * ROW + ROW / 2, to * ROW + ROW / 2];
  const out = x - LANE * Math.min(LANES - 0.5, Math.abs(to - from) + 0.4);
  return `M${x} ${y}C${out} ${y} ${out} ${z} ${x} ${z}`;
}

function part(cell: NotebookCell, focused: string | undefined, up: Set<string>, down: Set<string>) {
  if (focused === undefined) return undefined;
  return cell.id === focused ? "focus" : up.has(cell.id) ? "up" : down.has(cell.id) ? "down" : "apart";
}

function said(cell: NotebookCell, focused: string | undefined, up: Set<string>, down: Set<string>): string {
  if (up.has(cell.id)) return "The cell in focus depends on it";
  if (down.has(cell.id)) return "Depends on the cell in focus";
  return cell.id === focused ? "The cell in focus" : `${cell.kind} cell`;
}
