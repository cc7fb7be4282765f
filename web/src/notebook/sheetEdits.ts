/** One edit of a sheet as a cell stores it; which fields it has depends on its kind. */
export type SheetEdit = { kind: string; id?: string; [field: string]: unknown };

/** The edits that a sheet cell holds; undefined if the text is no list of edits. */
export function editsOf(text: string): SheetEdit[] | undefined {
  if (text.trim() === "") return [];
  try {
    const edits: unknown = JSON.parse(text);
    return Array.isArray(edits) && edits.every(isEdit) ? edits : undefined;
  } catch {
    return undefined;
  }
}

function isEdit(each: unknown): each is SheetEdit {
  return typeof each === "object" && each !== null && "kind" in each && typeof each.kind === "string";
}

/** Each edit in words. Rows are named by keys there, so a single row is just "one row". */
export function editWords(edits: readonly SheetEdit[]): string[] {
  const inserted = new Map(edits.filter(({ kind }) => kind === "insert_column").map((each) => [each.id, each.name]));
  const nameOf = (address: unknown) => {
    const text = String(address ?? "");
    return text.startsWith("n:") ? String(inserted.get(text.slice(2)) ?? "a new column") : text.replace(/^c:/, "");
  };
  return edits.map((edit) => WORDS[edit.kind]?.(edit, nameOf) ?? edit.kind.replaceAll("_", " "));
}

const FEW_PAIRS = 3;

type Words = (edit: SheetEdit, nameOf: (address: unknown) => string) => string;

const WORDS: Record<string, Words> = {
  set_cell: (edit, nameOf) => `${nameOf(edit.column)} in one row: ${contentWords(edit.content)}`,
  set_cells: (edit, nameOf) =>
    `${listOf(edit.columns).map(nameOf).join(", ")} in ${rows(listOf(edit.rows).length)}: new values`,
  set_column: (edit, nameOf) => `${nameOf(edit.column)} in every row: ${contentWords(edit.content)}`,
  set_where: (edit, nameOf) => `${nameOf(edit.column)} where a condition holds: ${contentWords(edit.content)}`,
  insert_row: (edit) => `${rows(Number(edit.count ?? 1))} inserted`,
  delete_row: (edit) => `${rows(listOf(edit.rows).length)} deleted`,
  move_row: (edit) => `${rows(listOf(edit.rows).length)} moved`,
  insert_column: (edit) => `Column ${String(edit.name)} inserted${withFormula(edit.content)}`,
  delete_column: (edit, nameOf) => `Column ${nameOf(edit.column)} deleted`,
  move_column: (edit, nameOf) => `Column ${nameOf(edit.column)} moved`,
  rename_column: (edit, nameOf) => `${nameOf(edit.column)} renamed to ${String(edit.name)}`,
  sort: (edit, nameOf) =>
    `Sorted by ${listOf(edit.by)
      .map((by) => nameOf(listOf(by)[0]))
      .join(", ")}`,
  filter: () => "Only the rows for which a condition holds",
  fill: (edit, nameOf) => `${nameOf(edit.column)} filled in ${rows(listOf(edit.rows).length)}`,
  fill_down: (edit, nameOf) => `${nameOf(edit.column)} filled down`,
  replace: (edit) => `“${String(edit.find)}” replaced with “${String(edit.replacement)}”`,
  recode: (edit, nameOf) => `${nameOf(edit.column)}: ${pairWords(listOf(edit.pairs))}`,
  apply_to_identical: (edit, nameOf) => `${nameOf(edit.column)}: the same in all identical cells`,
};

/** The first pairs of values, and how many more there are. */
function pairWords(pairs: unknown[]): string {
  const shown = pairs.slice(0, FEW_PAIRS).map((pair) => listOf(pair).map(quoted).join(" becomes "));
  const more = pairs.length - shown.length;
  return `${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

function rows(count: number): string {
  return count === 1 ? "one row" : `${count.toLocaleString("en")} rows`;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function quoted(value: unknown): string {
  return typeof value === "string" ? `“${value}”` : String(value ?? "no value");
}

function withFormula(content: unknown): string {
  const text = contentWords(content);
  return text.startsWith("=") ? ` with ${text}` : "";
}

/** What was typed: a formula as its text, a value as it is, a cleared cell as "no value". */
function contentWords(content: unknown): string {
  if (typeof content !== "object" || content === null) return "no value";
  const typed = content as Record<string, unknown>;
  if ("blank" in typed) return "no value";
  const text = typed.text ?? typed.invalid ?? typed.decimal ?? typed.date ?? typed.timestamp ?? typed.float;
  return text === undefined ? quoted(typed.value) : String(text);
}
