/** What the form about a range asks for. */
export type RangeFields = { where: string; low: string; high: string; message: string };

export const NO_RANGE: RangeFields = { where: "", low: "", high: "", message: "" };

/** The values of a cell that states a range about cells of a column; nothing while an end and a reason are missing. */
export function caveatValues(source: string, column: string, fields: RangeFields): Record<string, string> | undefined {
  const { where, low, high, message } = Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, text.trim()]),
  ) as RangeFields;
  if (message === "" || (low === "" && high === "")) return undefined;
  return {
    source,
    column,
    message,
    ...(where !== "" && { where }),
    ...(low !== "" && { low }),
    ...(high !== "" && { high }),
  };
}
