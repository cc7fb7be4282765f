import type { Schemas } from "../api/client";

const NUMBER = new Intl.NumberFormat("en");

/** 1 row, 1,200 rows. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${NUMBER.format(n)} ${n === 1 ? one : many}`;
}

export function number(n: number): string {
  return NUMBER.format(n);
}

type Role = Schemas["InputCell"]["role"];

/** What an input cell did for the cell that was asked about. */
export const ROLE_WORDS: Record<Role, { verb: string; meaning: string }> = {
  copied: { verb: "Copied from", meaning: "the value was taken over unchanged" },
  computed: { verb: "Computed from", meaning: "the value was calculated from these cells" },
  aggregated: { verb: "Aggregated from", meaning: "the value summarises these cells" },
  grouped: { verb: "Grouped by", meaning: "these cells decided which group the row belongs to" },
  joined: { verb: "Joined on", meaning: "these cells decided which rows were put together" },
  filtered: { verb: "Kept because of", meaning: "these cells decided that the row is here" },
};

const ORIGIN_WORDS: Record<Schemas["DatasetSummary"]["origin"], string> = {
  load: "Loaded from a file",
  create: "Created from Python",
  sql: "Made by SQL",
  dataset: "Made from a DataFrame",
  lens: "Made by a lens",
  caveat: "A doubt was stated",
  expect: "Checks were made",
  array: "Made from an array",
  operator: "Made by an operator",
  chart: "Chart",
  pipeline: "Prepared by a pipeline",
  python: "Made by a Python cell",
  sheet: "Edited in a sheet",
};

export function originWords(origin: Schemas["DatasetSummary"]["origin"]): string {
  return ORIGIN_WORDS[origin];
}

/** The place of a row in the file that was loaded: "prices.csv, line 19". */
export function fileWords(text: string, line: number | null): string {
  const file = text.replace(/^load /, "");
  return line === null ? `Loaded from ${file}` : `${file}, line ${number(line)}`;
}

/** Anything doubtful in a dataset, in one short phrase; empty if there is nothing. */
export function doubtWords(doubt: Schemas["DoubtSummary"]): string {
  const parts = [];
  if (doubt.columns.length > 0) parts.push(`doubt in ${doubt.columns.join(", ")}`);
  if (doubt.rows) parts.push("some rows may not belong here");
  if (doubt.row_set) parts.push("rows may be missing");
  return sentence(parts.join("; "));
}

/** The same text with a capital first letter. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
