import { isNumeric } from "../text/value";

export const OPERATORS = {
  is: "is",
  isNot: "is not",
  above: "is more than",
  below: "is less than",
  contains: "contains",
  startsWith: "starts with",
  isMissing: "is missing",
  isThere: "is not missing",
} as const;

export type Operator = keyof typeof OPERATORS;

export function operatorsFor(type: string): Operator[] {
  const isText = type === "string";
  return (Object.keys(OPERATORS) as Operator[]).filter((each) =>
    isText ? each !== "above" && each !== "below" : each !== "contains" && each !== "startsWith",
  );
}

export function needsValue(operator: Operator): boolean {
  return operator !== "isMissing" && operator !== "isThere";
}

/** A condition in SQL over one column. */
export function conditionSql(column: string, type: string, operator: Operator, value: string): string {
  const name = /^[A-Za-z_]\w*$/.test(column) ? column : `\`${column.replaceAll("`", "``")}\``;
  const isPlain = isNumeric(type) ? Number.isFinite(Number(value)) && value.trim() !== "" : type === "boolean";
  const literal = isPlain ? value.trim() : `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  switch (operator) {
    case "is":
      return `${name} = ${literal}`;
    case "isNot":
      return `${name} <> ${literal}`;
    case "above":
      return `${name} > ${literal}`;
    case "below":
      return `${name} < ${literal}`;
    case "contains":
      return `contains(${name}, ${literal})`;
    case "startsWith":
      return `startswith(${name}, ${literal})`;
    case "isMissing":
      return `${name} is null`;
    case "isThere":
      return `${name} is not null`;
  }
}

/** Both conditions must hold; the first may be empty. */
export function withCondition(text: string, condition: string): string {
  const before = text.trim();
  if (before === "") return condition;
  return / or /i.test(before) ? `(${before}) and ${condition}` : `${before} and ${condition}`;
}
