import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useLater } from "../sheet/useLater";
import { count, number } from "../text/words";
import styles from "./AddCheckDialog.module.css";
import { type CheckPreviews, previewCheck } from "./api";
import type { CheckValues } from "./columnChecks";

type Props = { dataset: { name: string; version: number }; check: CheckValues | undefined };

/** How many rows a check would mark, and the first of them, before the check is added. */
export function CheckPreview({ dataset, check }: Props) {
  const asked = useLater(check === undefined ? "" : JSON.stringify(check));
  const query = useQuery({
    queryKey: ["check preview", dataset.name, dataset.version, asked],
    queryFn: ({ signal }) => previewCheck(dataset.name, JSON.parse(asked), signal),
    enabled: asked !== "",
    placeholderData: keepPreviousData,
    retry: false,
  });
  const found = asked === "" ? undefined : query.data;
  const rows = found?.checks[0]?.examples ?? [];
  return (
    <section className={styles.preview} aria-label="Preview" aria-busy={query.isFetching}>
      <p role="status" data-fails={(found?.checks[0] && !found.checks[0].passed) || undefined}>
        {asked === "" ? "" : (query.error?.message ?? (found ? words(found) : "Counting…"))}
      </p>
      {rows.length > 0 && (
        <ul aria-label="Rows that fail">
          {rows.map((row) => (
            <li key={row.row}>{rowWords(row)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function words({ rows, checks, problem }: CheckPreviews): string {
  if (problem) return [problem.message, problem.hint].filter(Boolean).join(" ");
  const failing = checks[0]?.failing_rows ?? 0;
  return failing === 0
    ? `No row of ${number(rows)} fails.`
    : `${count(failing, "row")} of ${number(rows)} ${failing === 1 ? "fails" : "fail"}.`;
}

function rowWords({ row, line, values }: CheckPreviews["checks"][number]["examples"][number]): string {
  const place = line === null ? `Row ${number(row + 1)}` : `Line ${number(line)}`;
  const shown = Object.entries(values).map(([name, value]) => `${name} is ${value === null ? "missing" : value}`);
  return `${place}: ${shown.join(", ")}`;
}
