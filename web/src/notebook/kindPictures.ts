/** How the menu shows a kind of cell: a line drawing on 24 x 24, or a few signs that read as an example of it. */
export type Picture = { path: string } | { signs: string };

const path = (drawn: string): Picture => ({ path: drawn });
const signs = (text: string): Picture => ({ signs: text });

const PICTURES: Record<string, Picture> = {
  file: path("M12 15v-11M8 8l4-4 4 4M4 15v5h16v-5"),
  load: path("M6 2.500h8l4 4v15h-12zM14 2.500v4h4M12 10v7M9 14l3 3 3-3"),
  copy_dataset: path("M8 8h12v12h-12zM4 16v-12h12"),
  rename_dataset: path("M4 16l10-10 4 4-10 10h-4zM12 8l4 4"),
  drop_dataset: path("M4 6h16M9 6v-2.500h6v2.500M6 6l1 15h10l1-15M10 10v7M14 10v7"),
  checkpoint: path("M6 21v-18M6 4h12l-3 4 3 4h-12"),
  export: path("M12 4v11M8 11l4 4 4-4M4 15v5h16v-5"),
  sql: path("M4 6c0-4 16-4 16 0s-16 4-16 0v12c0 4 16 4 16 0v-12M4 12c0 4 16 4 16 0"),
  python: path("M8 6l-6 6 6 6M16 6l6 6-6 6M14 4l-4 16"),
  split: path("M3 12h6l5-6h7M9 12l5 6h7M18 3l3 3-3 3M18 15l3 3-3 3"),
  sheet: path("M3 4h18v16h-18zM3 9.300h18M3 14.700h18M9 4v16M15 4v16"),
  caveat: path("M12 3l9.500 17h-19zM12 9.500v5M12 17.300h.01"),
  expect: path("M4 6l2 2 3-4M12 6h8M4 13l2 2 3-4M12 13h8M4 20h5M12 20h8"),
  find_header: path("M3 4h18v16h-18zM3 7h18M3 10h18M3 15h18"),
  infer_types: signs("1a?"),
  parse_numbers: signs("21 €"),
  parse_dates: signs("31.1"),
  trim: signs("·a·"),
  change_case: signs("Aa"),
  replace: signs("a→b"),
  standardise: signs("a≈A"),
  impute: signs("?→1"),
  split_column: signs("a|b"),
  merge_columns: signs("a+b"),
  repair_key: signs("1:1"),
  repair_sequence: signs("1 _ 3"),
  drop_duplicates: signs("2→1"),
  flag_outliers: path("M3 20h18M5 17h.01M8 15h.01M11 17h.01M14 15.500h.01M19 17h.01M16.500 3v6M13.500 6h6"),
  watch_shape: path("M2 12c5-8 15-8 20 0-5 8-15 8-20 0zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z"),
  comment: path("M3 4h18v12h-10l-5 5v-5h-3zM7 8h10M7 12h6"),
  filter: path("M3 4h18l-7 8.500v7l-4-2v-5z"),
  select: path("M3 4h5v16h-5zM16 4h5v16h-5zM12 4v1M12 9v1M12 14v1M12 19v1"),
  drop_columns: path("M3 4h5v16h-5zM13 8l7 8M20 8l-7 8"),
  drop_rows: path("M3 3h18v5h-18zM8 12l8 8M16 12l-8 8"),
  drop_missing: signs("−∅"),
  rename: signs("a→n"),
  derive: signs("=x·2"),
  sort: path("M7 4v16M3 16l4 4 4-4M13 6h8M13 11h6M13 16h4"),
  group_by: signs("Σ"),
  join: path("M9 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12z"),
  union: path("M3 3h18v7h-18zM3 14h18v7h-18zM12 10v4"),
  pivot: path("M3 3h18v18h-18zM3 8h18M8 3v18M12 17h5v-5M15 14l2-2 2 2"),
  sample: signs("5 %"),
  transform: signs("f(x)"),
  normalize: signs("0–1"),
  discretize: path("M3 20h18M4 20v-5h4v-5h4v-4h4v-3h4v17"),
  binarize: signs("0|1"),
  one_hot: signs("010"),
  string_index: signs("a=0"),
  generate: signs("+n"),
  oversample: signs("×2"),
  undersample: signs("÷2"),
  chart: path("M3 3v18h18M8 17v-6M13 17v-12M18 17v-8"),
  explain: path("M9 9a3 3 0 1 1 4 2.800c-1 .4-1 1.200-1 2.200M12 17.500h.01M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z"),
  markdown: path("M4 5h16M4 10h16M4 15h16M4 20h9"),
  parameters: signs(":x"),
};

/** The picture of a kind that the page does not know: that of a table. */
const UNKNOWN = path("M3 4h18v16h-18zM3 9.300h18M3 14.700h18");

export function pictureOf(kind: string): Picture {
  return PICTURES[kind] ?? UNKNOWN;
}
