/** Cells as text that spreadsheets exchange: tabs between columns, line ends between rows, quotes where needed. */
export function toTsv(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => row.map(toField).join("\t")).join("\n");
}

function toField(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The cells of a text that was copied elsewhere; every row as long as the longest. */
export function fromTsv(text: string): string[][] {
  const rows: string[][] = [[""]];
  const add = (c: string) => {
    const row = rows.at(-1);
    row?.push((row.pop() ?? "") + c);
  };
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const row = rows.at(-1) as string[];
    const c = text[at] as string;
    if (isQuoted) {
      if (c === '"' && text[at + 1] === '"') add(text[++at] ?? "");
      else if (c === '"') isQuoted = false;
      else add(c);
    } else if (c === '"' && row.at(-1) === "" && closes(text, at)) isQuoted = true;
    else if (c === "\t") row.push("");
    else if (c === "\n" || c === "\r") {
      if (c === "\r" && text[at + 1] === "\n") at++;
      if (at + 1 < text.length) rows.push([""]);
    } else add(c);
  }
  const width = Math.max(...rows.map((row) => row.length));
  return rows.map((row) => [...row, ...Array<string>(width - row.length).fill("")]);
}

/** A quote opens a field only if one closes it before a tab, a line end or the end of the text. */
function closes(text: string, at: number): boolean {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    if (text[end + 1] === '"') end++;
    else return end + 1 === text.length || /[\t\n\r]/.test(text[end + 1] ?? "");
  }
  return false;
}
