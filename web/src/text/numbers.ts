import { isNumeric, show } from "./value";

/** How the numbers of one column are written: with the same decimals, and thousands apart where they are long. */
export type NumberFormat = {
  decimals: number;
  /** Longer fractions are cut to these decimals; else a number may have more. */
  isRounded: boolean;
  /** Whether numbers of four digits have their thousands apart, too, as longer ones beside them have. */
  isLong: boolean;
  /** Numbers that name something, such as a year or an id, are written as they are. */
  isName: boolean;
};

type Column = { name: string; type: string };

/** So many decimals are always shown in full. */
const MOST_DECIMALS = 4;
const SIGNIFICANT = 6;
const NAMES = /(^|[^a-z])(id|year|zip|code|key|phone|nr|no)s?$/i;
const WRITTEN = /^([+-]?)(\d+)(?:\.(\d+))?$/;

/** Whether the numbers of a column name something, to go by the column's own name. */
export function isNameOfThings(column: string): boolean {
  return NAMES.test(column.replace(/([a-z])([A-Z])/g, "$1_$2"));
}

/** The format of a column, from a sample of its values; none if it holds no numbers. */
export function formatOf(column: Column, sample: readonly unknown[]): NumberFormat | undefined {
  if (!isNumeric(column.type)) return undefined;
  const parts = sample.flatMap((value) => partsOf(value) ?? []);
  const digits = Math.max(0, ...parts.map(({ whole }) => whole.replace(/^0+/, "").length));
  const decimals = Math.max(0, ...parts.map(({ fraction }) => fraction.length));
  const isRounded = decimals > MOST_DECIMALS && !column.type.startsWith("decimal");
  return {
    decimals: isRounded ? Math.min(MOST_DECIMALS, Math.max(2, SIGNIFICANT - digits)) : decimals,
    isRounded,
    isLong: digits > 4,
    isName: isNameOfThings(column.name),
  };
}

/** The formats of all columns, from a sample of rows. */
export function formatsOf(columns: readonly Column[], rows: readonly (readonly unknown[])[]) {
  return columns.map((column, position) =>
    formatOf(
      column,
      rows.map((values) => values[position]),
    ),
  );
}

/** A value as a column shows it; the inspector shows it in full. */
export function showIn(format: NumberFormat | undefined, value: unknown): string {
  const parts = format && !format.isName ? partsOf(value) : undefined;
  if (format === undefined || parts === undefined) return show(value).text;
  const { sign, whole, fraction } = withDecimals(parts, decimalsFor(format, parts.fraction.length));
  const isApart = whole.length > 4 || (format.isLong && whole.length > 3);
  const thousands = isApart ? whole.replace(/\B(?=(\d{3})+$)/g, ",") : whole;
  const text = `${sign}${thousands}${fraction === "" ? "" : `.${fraction}`}`;
  // A small number beside large ones must not look like nothing.
  return /[1-9]/.test(text) || isZero(parts) ? text : show(value).text;
}

function decimalsFor({ decimals, isRounded }: NumberFormat, own: number): number {
  if (isRounded || own <= decimals) return decimals;
  return own <= MOST_DECIMALS ? own : Math.max(decimals, 2);
}

type Parts = { sign: string; whole: string; fraction: string };

function isZero({ whole, fraction }: Parts): boolean {
  return !/[1-9]/.test(whole + fraction);
}

/** The digits of a number, or of a text that stands for one too long for JavaScript; nothing for 1e21 or NaN. */
function partsOf(value: unknown): Parts | undefined {
  if (typeof value !== "number" && typeof value !== "string") return undefined;
  const found = WRITTEN.exec(String(value));
  return found ? { sign: found[1] ?? "", whole: found[2] ?? "", fraction: found[3] ?? "" } : undefined;
}

/** The same number with so many decimals, rounded half away from zero on its digits as they are written. */
function withDecimals({ sign, whole, fraction }: Parts, decimals: number): Parts {
  if (fraction.length <= decimals) return { sign, whole, fraction: fraction.padEnd(decimals, "0") };
  const kept = BigInt(whole + fraction.slice(0, decimals)) + (Number(fraction[decimals]) >= 5 ? 1n : 0n);
  const digits = String(kept).padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return { sign, whole: digits.slice(0, point), fraction: digits.slice(point) };
}

/** So many digits of a fraction are beyond doubt after sums and means of binary numbers. */
const SURE_DIGITS = 12;

/** 1609.19 for 1609.1900000000007, whose last digits come from adding binary numbers; nothing for other numbers. */
export function withoutNoise(text: string): string | undefined {
  const digits = text.replace(/\D/g, "").length;
  if (digits <= SURE_DIGITS || !text.includes(".") || !Number.isFinite(Number(text))) return undefined;
  const short = String(Number(Number(text).toPrecision(SURE_DIGITS)));
  return short.replace(/\D/g, "").length <= SURE_DIGITS - 3 ? short : undefined;
}
