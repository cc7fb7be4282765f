import { goToSearch, useSearch } from "./place";

/** A part of the address that belongs to one view, such as its filter; it goes when another place is opened. */
export function useParam(name: string): [string | undefined, (value: string | undefined) => void] {
  const value = new URLSearchParams(useSearch()).get(name) ?? undefined;
  return [value, (next) => setParams({ [name]: next })];
}

/** Changes some parts of the address and leaves the rest; `isStep` lets the Back key return. */
export function setParams(changes: Record<string, string | undefined>, isStep = false): void {
  const query = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  goToSearch(text ? `?${text}` : "", isStep);
}
