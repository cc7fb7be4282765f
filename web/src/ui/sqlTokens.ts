export type SqlToken = { start: number; kind: "keyword" | "text" | "number" | "comment" | "plain"; text: string };

export const KEYWORDS = new Set(
  `all and anti any as asc between by case cast cross desc distinct else end except exists false filter from full group
  having in inner intersect interval into is join lateral left like limit not null nulls offset on or order outer over
  partition pivot qualify right rows select semi set sort table then true union unpivot using values when where window
  with`.split(/\s+/),
);

const TOKEN =
  /(--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|('(?:[^'\\]|\\.|'')*'?|"(?:[^"\\]|\\.)*"?)|(`[^`]*`?|[A-Za-z_]\w*)|(\d[\w.]*)|[\s\S]/g;

/** Splits SQL for display; every character of the text is in exactly one token. */
export function sqlTokens(sql: string): SqlToken[] {
  const tokens: SqlToken[] = [];
  for (const match of sql.matchAll(TOKEN)) {
    const kind = kindOf(match);
    const last = tokens.at(-1);
    if (kind === "plain" && last?.kind === "plain") last.text += match[0];
    else tokens.push({ start: match.index, kind, text: match[0] });
  }
  return tokens;
}

function kindOf([, comment, text, word, number]: RegExpMatchArray): SqlToken["kind"] {
  if (comment !== undefined) return "comment";
  if (text !== undefined) return "text";
  if (number !== undefined) return "number";
  return word !== undefined && KEYWORDS.has(word.toLowerCase()) ? "keyword" : "plain";
}
