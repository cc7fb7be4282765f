import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, unwrap } from "../api/client";
import { useNotebooks, useSeveralNotebooks } from "../api/notebooks";
import { focusCellOnceThere } from "../notebook/focusCell";
import { FormDialog } from "../sheet/FormDialog";
import { goTo } from "../state/place";

export type Cell = { kind: string; values: Record<string, unknown> };
export type Becomes = { label: string; cell: Cell };

type Props = {
  title: string;
  /** What can be kept; the first unless another is chosen. */
  choices: Becomes[];
  /** The dataset the cell reads: it goes right after the cell that makes it. */
  source: string;
  onClose: () => void;
};

const NEW = "a new notebook";

/** Puts a cell into a notebook. */
export function KeepDialog({ title, choices, source, onClose }: Props) {
  const names = useNotebooks().data;
  const notebooks = useSeveralNotebooks(names ?? []);
  const queries = useQueryClient();
  const [chosen, setChosen] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const choice = choices[chosen];
  if (names === undefined || choice === undefined) return null;
  const makes = (name: string) =>
    notebooks
      .find((each) => each.name === name)
      ?.cells.findLastIndex((cell) => cell.datasets.some((made) => made.name === source)) ?? -1;
  const best = names.find((name) => makes(name) >= 0) ?? names[0] ?? NEW;
  const keep = async (form: FormData) => {
    setBusy(true);
    try {
      const asked = String(form.get("notebook"));
      const target = asked === NEW ? "charts" : asked;
      if (asked === NEW) await unwrap(client.POST("/api/notebooks", { body: { name: target } }));
      const at = makes(target);
      const values = { ...choice.cell.values, name: String(form.get("name")).trim() };
      const { cell } = await unwrap(
        client.POST("/api/notebooks/{name}/cells", {
          params: { path: { name: target } },
          body: {
            kind: choice.cell.kind,
            values,
            is_draft: false,
            command_id: crypto.randomUUID(),
            ...(at >= 0 && { position: at + 1 }),
          },
        }),
      );
      await queries.invalidateQueries({ queryKey: ["notebook", target] });
      goTo({ notebook: target });
      focusCellOnceThere(cell?.id);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "The cell could not be added.");
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={title}
      submit="Add the cell"
      isBusy={isBusy}
      problem={problem}
      onSubmit={(form) => void keep(form)}
      onClose={onClose}
    >
      {choices.length > 1 && (
        <label>
          It becomes
          <select value={chosen} onChange={(event) => setChosen(Number(event.target.value))}>
            {choices.map(({ label }, i) => (
              <option key={label} value={i}>
                {label}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        Notebook
        <select name="notebook" defaultValue={best}>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
          <option>{NEW}</option>
        </select>
      </label>
      <label>
        Name of the result
        <input key={chosen} name="name" defaultValue={String(choice.cell.values.name ?? "")} required />
      </label>
    </FormDialog>
  );
}
