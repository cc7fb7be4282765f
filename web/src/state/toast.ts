import { useSyncExternalStore } from "react";

export type Toast = {
  text: string;
  action?: { label: string; run: () => void };
  /** It is about something that goes on, so it stays until another word takes its place. */
  stays?: boolean;
};

const LASTS = 7000;

let current: Toast | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Say something in passing; a later word takes the place of an earlier one. */
export function say(toast: Toast | undefined): void {
  current = toast;
  clearTimeout(timer);
  if (toast !== undefined && !toast.stays) timer = setTimeout(() => say(undefined), LASTS);
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
