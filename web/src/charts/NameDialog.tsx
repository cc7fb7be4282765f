import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Json } from "../chart/themed";
import { FormDialog } from "../sheet/FormDialog";
import { say } from "../state/toast";
import { type DrawnChart, keepChart } from "./api";

type Props = { drawn: DrawnChart; spec: Json; suggested: string; onClose: () => void };

/** Gives a chart a name, under which it stays; without one it is only looked at. */
export function NameDialog({ drawn, spec, suggested, onClose }: Props) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const keep = async (form: FormData) => {
    setBusy(true);
    try {
      const kept = await keepChart(drawn, spec, String(form.get("name")).trim());
      await queries.invalidateQueries({ queryKey: ["datasets"] });
      say({ text: `The chart is kept as ${kept.marks.name}.` });
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "The chart could not be kept.");
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title="Keep the chart"
      submit="Keep it"
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
