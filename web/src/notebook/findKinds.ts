import { match } from "../shell/match";
import type { Choice } from "./choice";

/** Words of other tools for what a kind does. */
const OTHER_WORDS: Record<string, string> = {
  file: "upload csv excel parquet open import",
  load: "open import url web address csv excel parquet",
  export: "save download write",
  sql: "query select",
  markdown: "note heading comment markdown",
  filter: "where rows keep only",
  select: "keep columns order",
  derive: "calculated column formula add compute new",
  group_by: "aggregate sum count average summarise",
  join: "merge lookup vlookup match combine",
  union: "append concatenate stack",
  pivot: "crosstab wide reshape",
  sort: "order by",
  impute: "fill na null empty missing",
  drop_missing: "na null empty",
  drop_duplicates: "dedupe unique distinct",
  standardise: "cluster merge similar spellings",
  parse_numbers: "currency unit to number",
  parse_dates: "to date time",
  infer_types: "convert cast type",
  replace: "find substitute regex",
  normalize: "scale standardize z-score",
  discretize: "bin bucket",
  one_hot: "dummy encode",
  string_index: "label encode",
  chart: "plot graph bar line histogram",
  explain: "why outlier odd",
  sheet: "edit spreadsheet cells",
};

/** The kinds that answer what was typed, best first; each word may stand in the title, the name, the sentence or beside. */
export function findKinds<T extends Choice>(typed: string, kinds: T[]): T[] {
  const words = typed.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return kinds
    .flatMap((kind) => {
      const scores = words.map((word) => scoreOf(word, kind));
      return scores.every((score) => score !== undefined) ? [{ kind, score: scores.reduce((a, b) => a + b, 0) }] : [];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ kind }) => kind);
}

function scoreOf(word: string, { name, title, group, summary }: Choice): number | undefined {
  const called = [name, title]
    .map((text) => match(word, text.replaceAll("_", " ")))
    .filter((each) => each !== undefined);
  // Letters that only come in the same order count least in a name, and say nothing about a sentence.
  const best = Math.max(-1, ...called);
  if (best > 50) return best;
  if (` ${OTHER_WORDS[name] ?? ""}`.includes(` ${word}`)) return 90;
  if (group.toLowerCase().startsWith(word)) return 60;
  if (summary.toLowerCase().includes(word)) return 40;
  return best >= 0 && word.length > 2 ? best : undefined;
}
