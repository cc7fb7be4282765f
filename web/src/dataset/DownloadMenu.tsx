import { useAbout } from "../api/queries";
import { number } from "../text/words";
import { Menu } from "../ui/Menu";

type Props = { dataset: { name: string; version: number; rows: number }; toolText?: string };
type Format = "csv" | "excel" | "parquet";

const MOST_EXCEL_ROWS = 1_048_575;

/** Saves all rows of a dataset as a file of the browser. */
export function DownloadMenu({ dataset, toolText }: Props) {
  const about = useAbout();
  if (!about.data || about.data.shared) return null;
  const item = (label: string, format: Format, isOff = false) => ({ label, isOff, run: () => save(dataset, format) });
  const isLong = dataset.rows > MOST_EXCEL_ROWS;
  return (
    <Menu
      label={`Download ${dataset.name}`}
      icon="download"
      toolText={toolText}
      items={[
        item("CSV", "csv"),
        item(isLong ? `Excel (at most ${number(MOST_EXCEL_ROWS)} rows)` : "Excel", "excel", isLong),
        item("Parquet", "parquet"),
      ]}
    />
  );
}

/** The browser streams the file to disk, so its size does not matter; the server names it. */
function save({ name, version }: Props["dataset"], format: Format): void {
  const link = document.createElement("a");
  link.href = `/api/datasets/${encodeURIComponent(name)}/download?${new URLSearchParams({ format, version: String(version) })}`;
  link.download = "";
  link.click();
}
