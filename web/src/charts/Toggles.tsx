import type { Json } from "../chart/themed";
import type { Grammar } from "./grammar";
import { partAt, withPart } from "./parts";
import styles from "./Shelves.module.css";

type Props = { spec: Json; grammar: Grammar; onChange: (spec: Json) => void };

/** What one click does to the look of a chart. */
export function Toggles({ spec, grammar, onChange }: Props) {
  return (
    <div className={styles.adding}>
      {grammar.toggles.map(({ label, path, value }) => {
        const isOn = JSON.stringify(partAt(spec, path)) === JSON.stringify(value);
        return (
          <button
            key={label}
            type="button"
            aria-pressed={isOn}
            onClick={() => onChange(withPart(spec, path, isOn ? undefined : value))}
          >
            {label}
          </button>
        );
      })}
    </div>
  );
}
