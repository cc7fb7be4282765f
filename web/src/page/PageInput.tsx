import { useEffect, useRef, useState } from "react";
import { asText } from "../notebook/values";
import type { Item } from "./grid";
import styles from "./Page.module.css";

type Props = {
  item: Item;
  label: string;
  /** A reader of a link sees the values only. */
  isReadOnly: boolean;
  onSet: (values: Record<string, unknown>) => void;
};

const SOON = 400;

/** An input that sets a parameter; what depends on the parameter runs again. */
export function PageInput({ item, label, isReadOnly, onSet }: Props) {
  const { control, name } = item;
  const [value, until] = item.values ?? [];
  if (!control) return null;
  const set = (next: unknown) => onSet({ [name]: next });
  if (value === undefined || value === null)
    return <p className={styles.problem}>{`No parameters cell sets ${name} any more.`}</p>;
  const shared = { label, isReadOnly };
  const ends = { min: control.low ?? undefined, max: control.high ?? undefined };
  switch (control.kind) {
    case "checkbox":
      return (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={value === true}
            disabled={isReadOnly}
            onChange={(event) => set(event.target.checked)}
          />
          {label}
        </label>
      );
    case "select": {
      const choices = control.choices ?? [];
      const others = choices.includes(value as never) ? [] : [value];
      return (
        <label className={styles.input}>
          <span>{label}</span>
          <select
            value={JSON.stringify(value)}
            disabled={isReadOnly}
            onChange={(event) => set(JSON.parse(event.target.value))}
          >
            {[...others, ...choices].map((choice) => (
              <option key={JSON.stringify(choice)} value={JSON.stringify(choice)}>
                {asText(choice)}
              </option>
            ))}
          </select>
        </label>
      );
    }
    case "dates":
      return (
        <fieldset className={styles.dates}>
          <legend>{label}</legend>
          <Typed {...shared} label={`${label}, first day`} type="date" value={asText(value)} onSet={set} />
          <Typed
            {...shared}
            label={`${label}, last day`}
            type="date"
            value={asText(until)}
            onSet={(next) => onSet({ [control.until ?? ""]: next })}
          />
        </fieldset>
      );
    case "slider":
    case "number": {
      const type = control.kind === "slider" ? "range" : "number";
      const step = control.step ?? (control.kind === "slider" ? stepOf(control.low, control.high) : "any");
      return (
        <Typed
          {...shared}
          isShown
          type={type}
          limits={{ ...ends, step }}
          value={asText(value)}
          onSet={(next) => Number.isFinite(Number(next)) && next.trim() !== "" && set(Number(next))}
        />
      );
    }
    case "text":
      return <Typed {...shared} isShown type="text" value={asText(value)} onSet={(next) => set(next)} />;
  }
}

/** Whole steps between whole ends, else a hundredth of the way. */
function stepOf(low: number | null | undefined, high: number | null | undefined): number {
  const [from, to] = [low ?? 0, high ?? 1];
  return Number.isInteger(from) && Number.isInteger(to) && to - from > 1 ? 1 : (to - from) / 100;
}

type TypedProps = {
  label: string;
  isReadOnly: boolean;
  type: "range" | "number" | "text" | "date";
  value: string;
  limits?: { min?: number | undefined; max?: number | undefined; step: number | "any" };
  /** Whether the label is to be seen, not only read out. */
  isShown?: boolean;
  onSet: (value: string) => void;
};

/** A field whose value is sent once somebody has stopped changing it, so that not every step makes a version. */
function Typed({ label, isReadOnly, type, value, limits, isShown = false, onSet }: TypedProps) {
  const [typed, setTyped] = useState<string>();
  const latest = useRef(onSet);
  latest.current = onSet;
  useEffect(() => {
    if (typed === undefined || typed === value) return;
    const waiting = window.setTimeout(() => latest.current(typed), SOON);
    return () => window.clearTimeout(waiting);
  }, [typed, value]);
  // The answer has come: from now on the field says what the notebook says.
  useEffect(() => setTyped((known) => (known === value ? undefined : known)), [value]);
  const shown = typed ?? value;
  return (
    <label className={styles.input}>
      <span className={isShown ? undefined : "visually-hidden"}>
        {label}
        {type === "range" && <output className={styles.value}>{shown}</output>}
      </span>
      <input
        type={type}
        aria-label={label}
        value={shown}
        disabled={isReadOnly}
        {...limits}
        onChange={(event) => setTyped(event.target.value)}
      />
    </label>
  );
}
