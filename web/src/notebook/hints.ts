import type { Schemas } from "../api/client";
import type { Names } from "../editor/names";

type Parameter = Schemas["ParameterView"];

/** How values that are no plain text are written. */
const WRITTEN: Partial<Record<Parameter["kind"], string>> = {
  columns: "a, b, c",
  datasets: "a, b",
  mapping: '{"name": "value"}',
  entries: '[{"name": "a", "condition": "x > 1"}]',
};

/** What an empty field says in grey: what to write there, and how. */
export function hintOf({ label, kind }: Parameter): string {
  const written = WRITTEN[kind];
  return written === undefined || label.includes("such as") ? plain(label) : `${plain(label)}, such as ${written}`;
}

/** What the two fields of a pair say while they are empty: "new columns" and "an aggregate in SQL, such as sum(price)". */
export function pairHints(hint: string): [name: string, value: string] {
  const [, name, value] = /^(.+?),? (?:each with|and) (.+)$/.exec(hint) ?? [];
  return name === undefined || value === undefined ? [hint, ""] : [name, value];
}

/** A sentence of the documentation without the marks of code, for places that show no markup. */
export function plain(sentence: string): string {
  return sentence.replaceAll("`", "");
}

/** What an empty editor says in grey. */
export function textHint(kind: string, { datasets }: Names): string {
  const dataset = datasets.at(-1)?.name ?? "name";
  if (kind === "sql") return `A query, such as: select * from ${/^\w+$/.test(dataset) ? dataset : `\`${dataset}\``}`;
  if (kind === "python") return `Code, such as: ws["${dataset}"].head(), or ws["new"] = … to make a dataset`;
  return "A note, in Markdown: # Heading, *emphasis*, - list";
}
