import { number } from "../text/words";
import { type Direction, expecting, type Marking, type Role, withRole } from "./marking";
import styles from "./Steps.module.css";

type Props = {
  marking: Marking;
  mode: Role;
  isDrawing: boolean;
  words: string[];
  values: (number | null)[];
  onMode: (mode: Role) => void;
  onDraw: (isDrawing: boolean) => void;
  onMarking: (marking: Marking) => void;
};

const DIRECTIONS: [Direction, string][] = [
  ["high", "too high"],
  ["low", "too low"],
  ["wrong", "wrong"],
  ["expected", "not what I expect"],
];

/** What somebody says about the marks, before the search. */
export function Steps({ marking, mode, isDrawing, words, values, onMode, onDraw, onMarking }: Props) {
  const outliers = withRole(marking, "outlier");
  const fine = withRole(marking, "fine");
  const role = (name: Role, text: string) => (
    <button type="button" data-role={name} aria-pressed={mode === name && !isDrawing} onClick={() => onMode(name)}>
      {text}
    </button>
  );
  return (
    <section className={styles.steps} aria-label="What looks odd">
      <fieldset className={styles.line}>
        <legend>Click or brush marks that are</legend>
        {role("outlier", `Odd (${outliers.length})`)}
        {role("fine", fine.length > 0 ? `Fine (${fine.length})` : "Fine (all others)")}
        {marking.roles.size > 0 && (
          <button
            type="button"
            className={styles.clear}
            onClick={() => onMarking({ ...marking, roles: new Map(), expected: new Map() })}
          >
            Clear
          </button>
        )}
      </fieldset>
      <fieldset className={styles.line}>
        <legend>The odd ones are</legend>
        {DIRECTIONS.map(([direction, text]) => (
          <label key={direction}>
            <input
              type="radio"
              name="direction"
              checked={marking.direction === direction}
              onChange={() => {
                onMarking({ ...marking, direction });
                if (direction !== "expected") onDraw(false);
              }}
            />
            {text}
          </label>
        ))}
      </fieldset>
      {marking.direction === "expected" && (
        <div className={styles.expected}>
          <button type="button" className="button" aria-pressed={isDrawing} onClick={() => onDraw(!isDrawing)}>
            Draw over the chart
          </button>
          <table>
            <caption className="visually-hidden">What the odd marks ought to be</caption>
            <thead>
              <tr>
                <th scope="col">Mark</th>
                <th scope="col">Is</th>
                <th scope="col">Ought to be</th>
              </tr>
            </thead>
            <tbody>
              {outliers.map((mark) => (
                <tr key={mark}>
                  <th scope="row">{words[mark] ?? `mark ${mark}`}</th>
                  <td>{values[mark] === null || values[mark] === undefined ? "" : number(values[mark])}</td>
                  <td>
                    <input
                      type="number"
                      step="any"
                      aria-label={`Expected for ${words[mark] ?? `mark ${mark}`}`}
                      value={marking.expected.get(mark) ?? ""}
                      onChange={(event) => onMarking(expecting(marking, mark, event.target.valueAsNumber))}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
