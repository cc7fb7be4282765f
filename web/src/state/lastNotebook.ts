let last: string | undefined;

/** This notebook is open now. */
export function rememberNotebook(name: string): void {
  last = name;
}

/** The notebook that was open last, if it is still there; else the first one. */
export function lastNotebook(names: string[]): string | undefined {
  return last !== undefined && names.includes(last) ? last : names[0];
}
