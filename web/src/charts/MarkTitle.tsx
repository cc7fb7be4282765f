import { useMemo } from "react";
import type { Dataset } from "../api/client";
import { useChart, useMarks } from "./api";
import { markTitle, titlesOf } from "./titles";

type Props = { dataset: Dataset; row: number; column: string; children: string };

/** Names a mark by what it measures and what it stands for; until both are known, as its children do. */
export function MarkTitle({ dataset, row, column, children }: Props) {
  const drawn = useChart(`${dataset.name}@${dataset.version}`).data;
  const marks = useMarks(dataset).data;
  const titles = useMemo(() => drawn && titlesOf(drawn), [drawn]);
  const values = marks?.rows[row];
  if (!titles || !values) return children;
  const columns = dataset.columns.map(({ name }) => name);
  return markTitle(titles, Object.fromEntries(columns.map((name, i) => [name, values[i]])), column);
}
