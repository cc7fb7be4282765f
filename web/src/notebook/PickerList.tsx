import { useEffect, useRef } from "react";
import { MiniHistogram } from "../sheet/MiniHistogram";
import { useColumnProfile } from "../sheet/useProfile";
import type { ColumnPlace, Option } from "./options";
import styles from "./Picker.module.css";

type Props = {
  id: string;
  options: Option[];
  active: number;
  chosen: string[];
  isMany: boolean;
  onActive: (place: number) => void;
  onPick: (option: Option) => void;
};

/** With more options than this nobody reads pictures, and each is a request. */
const MOST_PICTURES = 60;

/** What a field offers: names with their types or sizes, columns with a picture of their values. */
export default function PickerList({ id, options, active, chosen, isMany, onActive, onPick }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      tabIndex={-1}
      aria-label="Offers"
      aria-multiselectable={isMany || undefined}
      className={styles.list}
    >
      {options.map((option, place) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the field choose among the options
        <div
          key={option.name}
          id={`${id}-${place}`}
          role="option"
          aria-selected={chosen.includes(option.name)}
          data-active={place === active || undefined}
          className={styles.option}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onPointerMove={() => onActive(place)}
          onClick={() => onPick(option)}
        >
          <span className={styles.check}>{chosen.includes(option.name) ? "✓" : ""}</span>
          <span className={styles.name}>{option.name}</span>
          <span className={styles.note}>{option.note}</span>
          {option.column && place < MOST_PICTURES && <Spread place={option.column} />}
        </div>
      ))}
    </div>
  );
}

function Spread({ place: { dataset, version, column } }: { place: ColumnPlace }) {
  const profile = useColumnProfile(dataset, version, column).data;
  return <span className={styles.spread}>{profile && <MiniHistogram profile={profile} />}</span>;
}
