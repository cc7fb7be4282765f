import type { NamedDataset } from "../editor/names";
import { useColumnProfile } from "../sheet/useProfile";
import { count } from "../text/words";
import { columnOptions, type Option } from "./options";

/** The frequent values of a column, from its stored profile, as the field writes them, with the number of their rows. */
export function useValueOptions(
  dataset: NamedDataset | undefined,
  column: string,
  write: (value: unknown) => string = String,
): Option[] {
  const place = columnOptions(dataset).find(({ name }) => name === column)?.column;
  const profile = useColumnProfile(place?.dataset, place?.version, place?.column ?? null).data;
  return (profile?.top ?? []).flatMap(({ value, count: rows }) =>
    value === null ? [] : [{ name: write(value), note: count(rows, "row") }],
  );
}
