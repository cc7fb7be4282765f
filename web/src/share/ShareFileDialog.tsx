import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, unwrap } from "../api/client";
import { saveNotebook } from "../rail/save";
import { FormDialog } from "../sheet/FormDialog";
import { Skeleton } from "../ui/Skeleton";
import styles from "./ShareFileDialog.module.css";

type Props = { notebook: string; onClose: () => void };

/** Writes a notebook as one file for readers without whence; the columns that are chosen are hidden in it. */
export default function ShareFileDialog({ notebook, onClose }: Props) {
  const [hidden, setHidden] = useState<string[]>([]);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const columns = useQuery({
    queryKey: ["report columns", notebook],
    // What the cells show may have changed since the dialog was last open.
    gcTime: 0,
    queryFn: ({ signal }) => {
      const params = { path: { name: notebook } };
      return unwrap(client.GET("/api/notebooks/{name}/report/columns", { params, signal }));
    },
  });
  const toggle = (name: string) =>
    setHidden(hidden.includes(name) ? hidden.filter((each) => each !== name) : [...hidden, name]);
  const save = async () => {
    setBusy(true);
    try {
      await saveNotebook(notebook, "report", hidden);
      onClose();
    } catch (error) {
      const { message, hint } = error as Error & { hint?: string };
      setProblem([message, hint].filter(Boolean).join(" "));
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={`Share ${notebook} as a file`}
      submit={hidden.length === 0 ? "Save the file" : `Save without ${hidden.length} of the columns`}
      isBusy={isBusy || columns.isPending}
      problem={problem || columns.error?.message}
      onClose={onClose}
      onSubmit={() => void save()}
    >
      <p>One page that opens without whence. Every value leads to the rows of the files behind it.</p>
      {columns.isPending && <Skeleton label="Reading the columns" lines={3} />}
      {columns.data && columns.data.length > 0 && (
        <fieldset className={styles.columns}>
          <legend>Hide the values of</legend>
          {columns.data.map(({ name, datasets }) => (
            <label key={name} className={styles.column}>
              <input type="checkbox" checked={hidden.includes(name)} onChange={() => toggle(name)} />
              <span>{name}</span>
              <small>{datasets.join(", ")}</small>
            </label>
          ))}
        </fieldset>
      )}
      {hidden.length > 0 && (
        <p>
          What was computed from a hidden column is shown unless you choose it, too. What cells printed and pictures of
          charts are left out; text and queries stay, so look through them.
        </p>
      )}
    </FormDialog>
  );
}
