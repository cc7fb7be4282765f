import { useState } from "react";
import { pairHints } from "./hints";
import styles from "./MappingField.module.css";
import type { Option } from "./options";
import { Picker } from "./Picker";
import { type Pair, pairsOf, textOfPairs } from "./pairs";

type Props = {
  id: string;
  /** The name of the parameter, for the names of its fields. */
  label: string;
  text: string;
  hint: string;
  options: Option[];
  onChange: (text: string) => void;
};

/** Names with values, one pair in each line; the last line is for one more. */
export function MappingField({ id, label, text, hint, options, onChange }: Props) {
  // Kept here, because two lines may hold the same name while one of them is being typed.
  const [pairs, setPairs] = useState<Pair[]>(() => pairsOf(text) ?? []);
  const stored = pairsOf(text);
  if (stored === undefined)
    return <input id={id} value={text} placeholder={hint} onChange={(event) => onChange(event.target.value)} />;
  const shown = textOfPairs(pairs) === textOfPairs(stored) ? pairs : stored;
  const [nameHint, valueHint] = pairHints(hint);
  const lines = [...shown, { name: "", value: "" }];
  const put = (place: number, pair: Pair) => {
    const next = lines.with(place, pair).filter(({ name, value }) => name !== "" || value !== "");
    setPairs(next);
    onChange(textOfPairs(next));
  };
  return (
    <span className={styles.pairs}>
      {lines.map((pair, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a pair has no other name than its place
        <span key={place} className={styles.pair}>
          <Picker
            id={place === 0 ? id : `${id}-${place}`}
            label={place === 0 ? undefined : `${label}, name ${place + 1}`}
            text={pair.name}
            hint={place === 0 ? nameHint : "one more"}
            title={hint}
            isMany={false}
            options={options}
            onChange={(name) => put(place, { ...pair, name })}
          />
          <span aria-hidden="true">→</span>
          <input
            aria-label={`${label}, value ${place + 1}`}
            value={pair.value}
            placeholder={place === 0 ? valueHint : ""}
            title={valueHint}
            onChange={(event) => put(place, { ...pair, value: event.target.value })}
          />
        </span>
      ))}
    </span>
  );
}
