import { type KeyboardEvent, lazy, Suspense, useState } from "react";
import { choose, impliedAt, matching, type Option, written } from "./options";
import styles from "./Picker.module.css";

const PickerList = lazy(() => import("./PickerList"));

type Props = {
  id: string;
  text: string;
  hint: string;
  title?: string;
  label?: string | undefined;
  /** Whether it takes several names, with commas between. */
  isMany: boolean;
  options: Option[];
  /** Nothing but an option is right, so Enter completes what is half typed. */
  isClosed?: boolean;
  onChange: (text: string) => void;
};

/** A field that offers names while one types; whatever else is typed is taken as well. */
export function Picker({ id, text, hint, title, label, isMany, options, isClosed = false, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [walked, setActive] = useState(-1);
  const found = matching(options, typed, isMany);
  const active = walked < 0 && isClosed ? impliedAt(found, typed, isMany) : walked;
  const list = `${id}-options`;
  const open = () => {
    if (isOpen) return;
    setTyped("");
    setActive(-1);
    setOpen(true);
  };
  const pick = (option: Option | undefined) => {
    if (!option) return;
    onChange(choose(text, option.name, isMany));
    setTyped("");
    if (!isMany) setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === "ArrowDown" && !isOpen) open();
    else if (event.key === "ArrowDown") setActive((active + 1) % Math.max(1, found.length));
    else if (event.key === "ArrowUp" && isOpen)
      setActive((Math.max(active, 0) - 1 + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter" && isOpen && active >= 0) pick(found[active]);
    else if (event.key === "Escape" && isOpen) setOpen(false);
    else return;
    event.preventDefault();
  };
  const shows = isOpen && found.length > 0;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only notes that the focus has gone elsewhere
    <span
      className={styles.picker}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <input
        id={id}
        role="combobox"
        aria-expanded={shows}
        aria-autocomplete="list"
        aria-controls={shows ? list : undefined}
        aria-activedescendant={shows && active >= 0 ? `${list}-${active}` : undefined}
        aria-label={label}
        title={title}
        autoComplete="off"
        placeholder={hint}
        value={text}
        onClick={open}
        onChange={(event) => {
          open();
          setTyped(event.target.value);
          setActive(-1);
          onChange(event.target.value);
        }}
        onKeyDown={onKeyDown}
      />
      {shows && (
        <Suspense>
          <PickerList
            id={list}
            options={found}
            active={active}
            chosen={written(text, isMany)}
            isMany={isMany}
            onActive={setActive}
            onPick={pick}
          />
        </Suspense>
      )}
    </span>
  );
}
