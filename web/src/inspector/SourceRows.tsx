import { type KeyboardEvent, type MouseEvent, useRef, useState } from "react";
import type { Schemas } from "../api/client";
import { litBy } from "../grid/lit";
import { rowWords } from "../text/cellName";
import { formatsOf, showIn } from "../text/numbers";
import { show } from "../text/value";
import { number } from "../text/words";
import { Triangle } from "../ui/Triangle";
import styles from "./SourceRows.module.css";

type Props = { step: Schemas["TraceStep"]; onOpen: ((row: number, column?: string) => void) | undefined };

/** The rows behind the cell as a small table; the cells that were used stand out, a click opens the row in its dataset. */
export function SourceRows({ step, onOpen }: Props) {
  const { columns, rids, values, lines, marks } = step.rows;
  const isNumbers = columns.map((_, position) => values.some((row) => typeof row[position] === "number"));
  const formats = formatsOf(
    columns.map((name, position) => ({ name, type: isNumbers[position] ? "double" : "string" })),
    values,
  );
  const { cells } = litBy(step);
  const openAt = (rid: number, event: MouseEvent) => {
    const pointed = (event.target as HTMLElement).closest("td")?.dataset.column;
    const [first = 0] = cells.get(rid) ?? [];
    onOpen?.(rid, columns[pointed === undefined ? first : Number(pointed)]);
  };
  // Used columns first, so that they are in view however many others there are.
  const used = new Set([...cells.values()].flatMap((positions) => [...positions]));
  const order = columns.map((_, position) => position).sort((a, b) => Number(used.has(b)) - Number(used.has(a)));
  const hasLines = lines.some((line) => line !== null);
  const body = useRef<HTMLTableSectionElement>(null);
  const [here, setHere] = useState(0);
  const stop = Math.min(here, rids.length - 1);
  // The rows are one stop of the Tab key; the arrow keys go from row to row.
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.key === "ArrowDown" ? stop + 1 : event.key === "ArrowUp" ? stop - 1 : -1;
    const button = body.current?.querySelectorAll("button")[target];
    if (button === undefined || target < 0) return;
    event.preventDefault();
    button.focus();
  };
  // A part that scrolls must be reachable by keyboard, also where no row can be opened.
  const frame = {
    className: styles.frame,
    tabIndex: onOpen ? -1 : 0,
    role: "region",
    "aria-label": `Rows of ${step.dataset}`,
  };
  return (
    <div {...frame}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{hasLines ? "line" : "row"}</th>
            {order.map((position) => (
              <th key={position} scope="col" data-numeric={isNumbers[position] || undefined}>
                {columns[position]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={onKeyDown}>
          {rids.map((rid, i) => (
            <tr key={rid} onClick={(event) => openAt(rid, event)} data-opens={onOpen !== undefined || undefined}>
              <th scope="row">
                <button
                  type="button"
                  className={styles.open}
                  tabIndex={i === stop ? 0 : -1}
                  onFocus={() => setHere(i)}
                  disabled={onOpen === undefined}
                  aria-label={`Open ${rowWords(rid)} of ${step.dataset}${lines[i] == null ? "" : `, line ${lines[i]}`}`}
                >
                  {lines[i] ?? number(rid + 1)}
                </button>
              </th>
              {order.map((position) => {
                const shown = show(values[i]?.[position]);
                const isDoubtful = marks[i]?.includes(position) ?? false;
                return (
                  <td
                    key={position}
                    data-column={position}
                    data-kind={shown.kind}
                    data-doubtful={isDoubtful || undefined}
                    data-used={cells.get(rid)?.has(position) || undefined}
                  >
                    {showIn(formats[position], values[i]?.[position])}
                    {isDoubtful && <Triangle label="doubtful" />}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
