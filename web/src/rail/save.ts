import { ApiError, type Dataset, type Schemas } from "../api/client";

function save(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

/** The browser streams the file to disk, so its size does not matter; the server names it. */
export function saveDataset({ name, version }: Dataset, format: "csv" | "excel" | "parquet"): void {
  const query = new URLSearchParams({ format, version: String(version) });
  save(`/api/datasets/${encodeURIComponent(name)}/download?${query}`, "");
}

/**
 * A notebook may not be ready for a file of this form, so the answer is read before anything is saved.
 * A report can hide the values of columns.
 */
export async function saveNotebook(
  name: string,
  format: "report" | "jupyter" | "script" | "text",
  hidden: string[] = [],
): Promise<void> {
  const query = new URLSearchParams({ format, ...(hidden.length > 0 && { redact: JSON.stringify(hidden) }) });
  const answer = await window.fetch(`/api/notebooks/${encodeURIComponent(name)}/download?${query}`);
  if (!answer.ok) {
    const { error } = (await answer.json()) as Schemas["ErrorBody"];
    throw new ApiError(error.kind, error.message, error.hint);
  }
  const given = /filename\*?=(?:utf-8''([^;]+)|"([^"]+)")/i.exec(answer.headers.get("content-disposition") ?? "");
  const address = URL.createObjectURL(await answer.blob());
  save(address, given?.[1] ? decodeURIComponent(given[1]) : (given?.[2] ?? name));
  // Chromium reads the address after the click; it may be given back a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
