import { useState } from "react";

export type Theme = "system" | "light" | "dark";

const KEY = "whence.theme";
const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

function stored(): Theme {
  const value = window.localStorage.getItem(KEY);
  return value === "light" || value === "dark" ? value : "system";
}

export function applyTheme(theme: Theme = stored()): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
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
