import { useSyncExternalStore } from "react";

export type Toast = { text: string; action?: { label: string; run: () => void } };

const LASTS = 7000;

let current: Toast | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Say something in passing; a later word takes the place of an earlier one. */
export function say(toast: Toast | undefined): void {
  current = toast;
  clearTimeout(timer);
  if (toast !== undefined) timer = setTimeout(() => say(undefined), LASTS);
  for (const listener of listeners) listener();
}

export function useToast(): Toast | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
