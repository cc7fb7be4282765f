import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { isNumeric } from "../text/value";
import { completeFormula, type FormulaNames, openCall } from "./completeFormula";
import styles from "./FormulaField.module.css";

/** Named in hints where there is no column yet. */
const ANY = { name: "price", type: "double" };

type Props = { label: string; text: string; names: FormulaNames; onChange: (text: string) => void };

/** A field for a formula: it offers functions, columns and datasets, and says what the function at the caret takes. */
export function FormulaField({ label, text, names, onChange }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const completedTo = useRef<number>(undefined);
  const [caret, setCaret] = useState(text.length);
  const [chosen, setChosen] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const found = isOpen ? completeFormula(text, caret, names) : null;
  const options = found?.options ?? [];
  const call = openCall(text, caret);
  const sample = names.columns.find(({ type }) => isNumeric(type)) ?? names.columns[0] ?? ANY;
  const help = names.functions.find(({ name }) => name === call);

  const change = (next: string, at: number) => {
    onChange(next);
    setCaret(at);
    setChosen(0);
    setOpen(true);
  };
  const take = (place: number) => {
    const option = options[place];
    if (found === null || option === undefined) return;
    const written = option.apply ?? option.label;
    const at = found.from + written.length;
    change(text.slice(0, found.from) + written + text.slice(caret), at);
    completedTo.current = at;
  };
  // As soon as the completed text is there, and before the next key: else what is typed would go elsewhere.
  useLayoutEffect(() => {
    const at = completedTo.current;
    if (at === undefined) return;
    completedTo.current = undefined;
    input.current?.setSelectionRange(at, at);
  });
  const press = (event: KeyboardEvent) => {
    if (options.length === 0) return;
    if (event.key === "ArrowDown") setChosen((chosen + 1) % options.length);
    else if (event.key === "ArrowUp") setChosen((chosen + options.length - 1) % options.length);
    else if (event.key === "Enter" || event.key === "Tab") take(chosen);
    else if (event.key === "Escape") setOpen(false);
    else return;
    event.preventDefault();
  };

  return (
    <div className={styles.field}>
      <label htmlFor={`${id}-input`}>{label}</label>
      <input
        ref={input}
        id={`${id}-input`}
        role="combobox"
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={options.length > 0 ? `${id}-${chosen}` : undefined}
        aria-describedby={`${id}-help`}
        autoComplete="off"
        spellCheck={false}
        placeholder={isNumeric(sample.type) ? `=[@${sample.name}]*2` : `=UPPER([@${sample.name}])`}
        value={text}
        onChange={(event) => change(event.target.value, event.target.selectionStart ?? event.target.value.length)}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? text.length)}
        onKeyDown={press}
        onBlur={() => setOpen(false)}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Suggestions" className={styles.list} hidden={!options.length}>
        {options.map((option, place) => (
          <div
            key={`${option.kind} ${option.label}`}
            id={`${id}-${place}`}
            role="option"
            aria-selected={place === chosen}
            onMouseDown={(event) => {
              event.preventDefault(); // the field keeps the focus
              take(place);
            }}
          >
            <span>{option.label}</span>
            <small>{option.detail}</small>
          </div>
        ))}
      </div>
      <p id={`${id}-help`} className={styles.help}>
        {help ? (
          <>
            <code>
              {help.name}({help.arguments})
            </code>{" "}
            {help.sentence.replaceAll("`", "")}
          </>
        ) : (
          `[@${sample.name}] is a column of the same row, [${sample.name}] the whole column.`
        )}
      </p>
    </div>
  );
}
