import type { Kind } from "../api/notebooks";

/** Whether everything that a kind needs is filled in. */
export function isComplete({ parameters }: Pick<Kind, "parameters">, values: Record<string, unknown>): boolean {
  return parameters.every(({ name, is_required }) => !is_required || !isEmpty(values[name]));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}
