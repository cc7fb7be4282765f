import { useState } from "react";
import { count } from "../text/words";
import { Icon } from "../ui/Icon";
import type { Direction } from "./api";
import styles from "./FindBar.module.css";

type Props = {
  withReplace: boolean;
  column: string | undefined;
  /** How many rows there are, while only some are looked at: replacing concerns all of them. */
  rows: number | undefined;
  onFind: (text: string, direction: Direction) => void;
  onReplace: (asked: { find: string; replacement: string; columns: string[]; whole_cell: boolean }) => void;
  onClose: () => void;
};

/** The bar was opened to write in it. */
const focusFirst = (field: HTMLInputElement | null) => field?.focus();

/** Finds a text in the cells and replaces it. */
export function FindBar({ withReplace, column, rows, onFind, onReplace, onClose }: Props) {
  const [text, setText] = useState("");
  const [replacement, setReplacement] = useState("");
  const [isWhole, setWhole] = useState(false);
  const [isHere, setHere] = useState(false);
  return (
    <form
      className={styles.bar}
      aria-label="Find"
      onSubmit={(event) => {
        event.preventDefault();
        if (text) onFind(text, "next");
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") onClose();
        else if (event.key === "Enter" && event.shiftKey && text) {
          event.preventDefault();
          onFind(text, "previous");
        }
      }}
    >
      <input
        aria-label="Find"
        placeholder="Find"
        value={text}
        ref={focusFirst}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="button" disabled={text === ""}>
        Next
      </button>
      <button type="button" className="button" disabled={text === ""} onClick={() => onFind(text, "previous")}>
        Previous
      </button>
      {withReplace && (
        <>
          <input
            aria-label="Replace with"
            placeholder="Replace with"
            value={replacement}
            onChange={(event) => setReplacement(event.target.value)}
          />
          <label>
            <input type="checkbox" checked={isWhole} onChange={(event) => setWhole(event.target.checked)} /> whole cells
          </label>
          <label>
            <input
              type="checkbox"
              checked={isHere}
              disabled={column === undefined}
              onChange={(event) => setHere(event.target.checked)}
            />{" "}
            only {column ?? "the selected column"}
          </label>
          <button
            type="button"
            className="button"
            disabled={text === ""}
            onClick={() =>
              onReplace({
                find: text,
                replacement,
                columns: isHere && column !== undefined ? [column] : [],
                whole_cell: isWhole,
              })
            }
          >
            {rows === undefined ? "Replace all" : `Replace in all ${count(rows, "row")}`}
          </button>
        </>
      )}
      <button type="button" className="icon-button" aria-label="Close the search" onClick={onClose}>
        <Icon name="close" />
      </button>
    </form>
  );
}
