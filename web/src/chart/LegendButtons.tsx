import { type KeyboardEvent, type SyntheticEvent, useEffect, useState } from "react";
import styles from "./LegendButtons.module.css";
import type { Entry, Legend } from "./legend";

type Props = {
  legend: Legend | undefined;
  /** Told once other marks are shown. */
  onShown?: () => void;
};

/** Lies over a legend: a click on an entry shows its group alone, with Shift beside others, and once more all groups. */
export function LegendButtons({ legend, onShown }: Props) {
  const [chosen, setChosen] = useState<unknown[]>([]);
  const [entries, setEntries] = useState<Entry[]>([]);

  const show = (values: unknown[]) => {
    setChosen(values);
    void legend?.show(values).then(onShown);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a picture that is drawn anew shows what was chosen before
  useEffect(() => {
    const found = legend?.entries() ?? [];
    setEntries(found);
    const known = chosen.filter((each) => found.some(({ value }) => value === each));
    if (chosen.length > 0) show(known);
  }, [legend]);
  // A picture that is made to fit the page has its legend elsewhere.
  useEffect(() => {
    const remeasure = () => setEntries(legend?.entries() ?? []);
    window.addEventListener("resize", remeasure);
    return () => window.removeEventListener("resize", remeasure);
  }, [legend]);

  if (entries.length < 2) return null;
  const pick = (value: unknown, isAdding: boolean) => {
    const others = chosen.filter((each) => each !== value);
    const isChosen = others.length < chosen.length;
    if (isAdding) return show(isChosen ? others : [...chosen, value]);
    return show(isChosen && others.length === 0 ? [] : [value]);
  };
  const onKeyDown = (event: KeyboardEvent, value: unknown) => {
    // Arrow keys walk the marks of the picture below, and Space would choose one.
    event.stopPropagation();
    if (event.key === "Escape" && chosen.length > 0) show([]);
    else if (event.key === "Enter" || event.key === " ") pick(value, event.shiftKey);
    else return;
    event.preventDefault();
  };
  return (
    <fieldset className={styles.legend}>
      <legend className="visually-hidden">Show only some groups</legend>
      {entries.map(({ value, label, x, y, width, height }) => (
        <button
          key={label}
          type="button"
          className={styles.entry}
          style={{ left: x - 2, top: y - 2, width: width + 4, height: height + 4 }}
          title={`Click to show only ${label}, with Shift to add it`}
          aria-label={label}
          aria-pressed={chosen.includes(value)}
          data-off={(chosen.length > 0 && !chosen.includes(value)) || undefined}
          // A drag that begins here would brush marks.
          onPointerDown={stop}
          onPointerUp={stop}
          onKeyDown={(event) => onKeyDown(event, value)}
          onClick={(event) => event.detail > 0 && pick(value, event.shiftKey)}
        />
      ))}
    </fieldset>
  );
}

function stop(event: SyntheticEvent) {
  event.stopPropagation();
}
