import { KEYWORDS, sqlTokens } from "../ui/sqlTokens";
import type { NamedDataset, Names } from "./names";
import type { Suggestion, Suggestions } from "./suggestion";

const FUNCTIONS = `abs approx_count_distinct array_contains avg cast ceil coalesce collect_list concat count count_if
  current_date date_add date_diff date_format date_trunc dense_rank element_at explode extract first_value floor
  get_json_object greatest if ifnull initcap isnull lag last_value lead least length lower lpad ltrim max median min
  month nullif nvl percentile percentile_approx rank regexp_extract regexp_replace replace round row_number rtrim split
  sqrt stddev substring sum to_date to_timestamp trim try_cast upper variance year caveat caveat_if
  has_caveat bound_low bound_high`.split(/\s+/);

/** After these words a dataset is named, and so it is after each comma that follows. */
const NAMES_DATASET = /\b(?:from|join|table)\s+(?:[\w`.]+(?:\s+(?:as\s+)?\w+)?\s*,\s*)*$/i;

/**
 * What may be written at a place of a query: datasets after `from`, columns of the dataset after its name or alias and a
 * dot, parameters after a colon, else the columns of the datasets the query names.
 */
export function completeSql(text: string, position: number, names: Names): Suggestions | null {
  const before = text.slice(0, position);
  if (isQuoted(before)) return null;
  const word = /\w*$/.exec(before)?.[0] ?? "";
  const from = position - word.length;
  const lead = before.slice(0, from);
  if (/(?<![:\w]):$/.test(lead)) return found(from, names.parameters.map(asParameter));
  const owner = /(`[^`]+`|\w+)\.$/.exec(lead)?.[1];
  if (owner !== undefined) return found(from, columnsOf(ownerOf(owner, text, names)));
  if (NAMES_DATASET.test(lead)) return found(from, names.datasets.map(asDataset));
  if (word === "") return null;
  const named = namedIn(text, names);
  const columns = (named.length > 0 ? named : names.datasets).flatMap((dataset) => columnsOf(dataset));
  return found(from, [
    ...unique(columns),
    ...names.datasets.map(asDataset),
    ...FUNCTIONS.map((label): Suggestion => ({ label, apply: `${label}(`, kind: "function" })),
    ...[...KEYWORDS].map((label): Suggestion => ({ label, kind: "keyword" })),
  ]);
}

function found(from: number, options: Suggestion[]): Suggestions | null {
  return options.length > 0 ? { from, options } : null;
}

/** Whether the caret stands in a text or a comment that is still open. */
function isQuoted(before: string): boolean {
  const last = sqlTokens(before).at(-1);
  if (last?.kind === "comment") return last.text.startsWith("--") || !/\*\/$/.test(last.text);
  return last?.kind === "text" && !(last.text.length > 1 && last.text.endsWith(last.text.charAt(0)));
}

/** The datasets a query names, wherever it names them. */
function namedIn(text: string, names: Names): NamedDataset[] {
  const words = new Set([...text.matchAll(/`([^`]+)`|(\w+)/g)].map((m) => (m[1] ?? m[2] ?? "").toLowerCase()));
  return names.datasets.filter((dataset) => words.has(dataset.name.toLowerCase()));
}

/** The dataset that stands before a dot: by its own name, or by the alias the query gives it. */
function ownerOf(owner: string, text: string, names: Names): NamedDataset | undefined {
  const plain = owner.replaceAll("`", "").toLowerCase();
  const byName = (name: string) => names.datasets.find((dataset) => dataset.name.toLowerCase() === name.toLowerCase());
  const direct = byName(plain);
  if (direct) return direct;
  for (const [, quoted, bare, alias] of text.matchAll(/(?:`([^`]+)`|(\w+))\s+(?:as\s+)?(\w+)/gi)) {
    if (alias?.toLowerCase() === plain && byName(quoted ?? bare ?? "")) return byName(quoted ?? bare ?? "");
  }
  return undefined;
}

function columnsOf(dataset: NamedDataset | undefined): Suggestion[] {
  return (dataset?.columns ?? []).map(({ name, type }) => ({
    label: name,
    kind: "column" as const,
    detail: `${type} · ${dataset?.name}`,
    ...quoted(name),
  }));
}

function asDataset({ name, columns }: NamedDataset): Suggestion {
  return { label: name, kind: "dataset", detail: `${columns.length} columns`, ...quoted(name) };
}

function asParameter(label: string): Suggestion {
  return { label, kind: "parameter" };
}

/** A name that is no plain word is written between backticks. */
function quoted(name: string): { apply?: string } {
  const isPlain = /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name.toLowerCase());
  return isPlain ? {} : { apply: `\`${name.replaceAll("`", "``")}\`` };
}

/** The same column of several datasets is offered once. */
function unique(columns: Suggestion[]): Suggestion[] {
  const seen = new Set<string>();
  return columns.filter(({ label }) => !seen.has(label) && seen.add(label));
}
