import { useState, useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

const KEY = "whence.theme";
const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

function stored(): Theme {
  const value = window.localStorage.getItem(KEY);
  return value === "light" || value === "dark" ? value : "system";
}

const watchers = new Set<() => void>();

export function applyTheme(theme: Theme = stored()): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const watcher of watchers) watcher();
}

const system = () => window.matchMedia("(prefers-color-scheme: dark)");

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  const media = system();
  media.addEventListener("change", watcher);
  return () => {
    watchers.delete(watcher);
    media.removeEventListener("change", watcher);
  };
}

/** Which colours the page shows now; for what is drawn and cannot follow by itself. */
export function useColours(): "light" | "dark" {
  return useSyncExternalStore(watch, () => {
    const theme = stored();
    return theme === "system" ? (system().matches ? "dark" : "light") : theme;
  });
}

/** The chosen theme and a way to the next one. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState(stored);
  const advance = () => {
    const next = NEXT[theme];
    window.localStorage.setItem(KEY, next);
    applyTheme(next);
    setTheme(next);
  };
  return [theme, advance];
}
