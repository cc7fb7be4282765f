import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Json } from "../chart/themed";
import { FormDialog } from "../sheet/FormDialog";
import { say } from "../state/toast";
import { type DrawnChart, keepChart } from "./api";

type Props = { drawn: DrawnChart; spec: Json; suggested: string; onClose: () => void };

/** Saves a chart under a name; without a name it is listed nowhere. */
export function NameDialog({ drawn, spec, suggested, onClose }: Props) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const keep = async (form: FormData) => {
    setBusy(true);
    try {
      const kept = await keepChart(drawn, spec, String(form.get("name")).trim());
      await queries.invalidateQueries({ queryKey: ["datasets"] });
      say({ text: `Saved the chart as ${kept.marks.name}.` });
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "The chart could not be saved.");
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title="Save chart"
      submit="Save chart"
      isBusy={isBusy}
      problem={problem}
      onSubmit={(form) => void keep(form)}
      onClose={onClose}
    >
      <label>
        Name of the chart
        <input name="name" defaultValue={suggested} required />
      </label>
    </FormDialog>
  );
}
