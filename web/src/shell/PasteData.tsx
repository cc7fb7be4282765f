import { useState } from "react";
import { FormDialog } from "../sheet/FormDialog";
import { count } from "../text/words";
import styles from "./PasteData.module.css";
import { asFile, describeTable, freeName } from "./pastedTable";

type Props = { text: string; taken: string[]; onLoad: (file: File) => void; onClose: () => void };

/** Takes a table as text, copied from a spreadsheet or written by hand, and loads it as a file would be. */
export default function PasteData({ text: first, taken, onLoad, onClose }: Props) {
  const [text, setText] = useState(first);
  const [problem, setProblem] = useState("");
  const table = describeTable(text);
  return (
    <FormDialog
      title="Paste data"
      submit="Load"
      problem={problem || undefined}
      onClose={onClose}
      onSubmit={(values) => {
        const name = String(values.get("name") ?? "").trim();
        if (table === undefined) return setProblem("There is nothing to load yet. Paste rows of a table.");
        onLoad(asFile(name || "pasted", text, table));
      }}
    >
      <label>
        Rows of a table, with commas, semicolons or tabs between the columns
        <textarea
          className={styles.text}
          // biome-ignore lint/a11y/noAutofocus: the dialog was opened to fill this
          autoFocus
          rows={10}
          spellCheck={false}
          value={text}
          placeholder={"part,price\nA-100,0.42\nA-101,0.57"}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <p role="status">
        {table === undefined
          ? "Copy cells in a spreadsheet and paste them here."
          : `${count(table.lines, "line")}, ${count(table.columns, "column")}, with ${table.words} between them.`}
      </p>
      <label>
        Name of the dataset
        <input name="name" defaultValue={freeName("pasted", taken)} required />
      </label>
    </FormDialog>
  );
}
