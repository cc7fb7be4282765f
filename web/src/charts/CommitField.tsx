import { useEffect, useState } from "react";

type Props = { label: string; value: string; onCommit: (text: string) => void };

/** A short text that counts once it is left, or confirmed by Enter. */
export function CommitField({ label, value, onCommit }: Props) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const commit = () => text !== value && onCommit(text);
  return (
    <input
      aria-label={label}
      placeholder="any"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") commit();
      }}
    />
  );
}
