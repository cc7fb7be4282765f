const KEY = "whence.canvas";
export const MOST = 12;
/** How many charts stand side by side before somebody chooses. */
export const AT_FIRST = 4;

/** The charts that an address puts side by side, by name or `name@version`; undefined if it says nothing of them. */
export function readChosen(written: string | undefined): string[] | undefined {
  if (written === undefined) return undefined;
  try {
    const read: unknown = JSON.parse(written);
    return Array.isArray(read) ? read.filter((each) => typeof each === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function writeChosen(charts: string[]): string {
  return JSON.stringify(charts);
}

/** What was side by side last, so that one more can be put beside it. */
export function rememberChosen(charts: string[]): void {
  window.sessionStorage.setItem(KEY, writeChosen(charts));
}

/** The names of the charts that a workspace keeps. */
export function keptCharts(datasets: readonly { name: string; origin: string }[] | undefined): string[] {
  return datasets?.flatMap(({ name, origin }) => (origin === "chart" ? [name] : [])) ?? [];
}

/** The address of all that was side by side last, or else of the last kept charts, and one more. */
export function placeWith(chart: string, kept: string[]): string {
  const last = readChosen(window.sessionStorage.getItem(KEY) ?? "[]") ?? [];
  const known = last.length > 0 ? last : kept.slice(1 - AT_FIRST);
  const charts = [...known.filter((each) => each !== chart), chart].slice(-MOST);
  return `?${new URLSearchParams({ view: "canvas", charts: writeChosen(charts) })}`;
}
