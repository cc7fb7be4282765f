import { type FocusEvent, type KeyboardEvent, useEffect, useState } from "react";
import { Field } from "../notebook/Field";
import { asText, fromText } from "../notebook/values";
import type { Option } from "./grammar";

/** The options of an operator name neither datasets nor columns. */
const NO_NAMES = { datasets: [], parameters: [] };

type Props = { id: string; option: Option; value: unknown; onChange: (value: unknown) => void };

/** One option of an operator. A chart is drawn anew when a choice is made, or a text is left or confirmed by Enter. */
export function OptionField({ id, option, value, onChange }: Props) {
  const written = asText(value);
  const [text, setText] = useState(written);
  useEffect(() => setText(written), [written]);
  const commit = (typed: string) => {
    if (typed !== written) onChange(fromText(option.kind, typed));
  };
  const change = (typed: string) => {
    setText(typed);
    if (option.choices.length > 0 || option.kind === "flag") commit(typed);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Enter") commit(text);
  };
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) commit(text);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field inside is what is used
    <div onBlur={onBlur} onKeyDown={onKeyDown}>
      <Field
        id={id}
        parameter={option}
        textOf={(name) => (name === option.name ? text : "")}
        hint={option.default === null ? "left open" : asText(option.default)}
        names={NO_NAMES}
        onChange={change}
      />
    </div>
  );
}
