const WHOLE = /^[+-]?\d{1,38}$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([+-]\d{2}:?\d{2}|Z)?)?$/;

/** Why a text does not fit a column of this type; nothing if it does. Formulas and empty cells fit everywhere. */
export function misfit(text: string, type: string | null): string | undefined {
  const typed = text.trim();
  if (type === null || typed === "" || typed.startsWith("=")) return undefined;
  if (/^(tinyint|smallint|int|bigint)$/.test(type))
    return WHOLE.test(typed) ? undefined : `${say(typed)} is no whole number, and the column holds ${type}.`;
  if (/^(float|double|decimal)/.test(type))
    return NUMBER.test(typed) ? undefined : `${say(typed)} is no number, and the column holds ${type}.`;
  if (type === "date") return isDate(typed) ? undefined : `${say(typed)} is no date such as 2024-02-29.`;
  if (type.startsWith("timestamp"))
    return MOMENT.test(typed) && isDate(typed.slice(0, 10))
      ? undefined
      : `${say(typed)} is no time such as 2024-02-29 13:30.`;
  if (type === "boolean") return /^(true|false)$/i.test(typed) ? undefined : `${say(typed)} is neither true nor false.`;
  return undefined;
}

function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function say(text: string): string {
  return text.length > 40 ? `“${text.slice(0, 40)}…”` : `“${text}”`;
}
