export type Region = "rail" | "data" | "inspector" | "dock";

const ORDER: Region[] = ["rail", "data", "inspector", "dock"];

/** The element of a region that takes the focus. */
function target(region: Region): HTMLElement | null {
  const root = document.querySelector<HTMLElement>(`[data-region="${region}"]`);
  if (region === "inspector") return root;
  const grid = root?.querySelector<HTMLElement>('[role="grid"][tabindex]');
  return grid ?? root?.querySelector<HTMLElement>('[data-cell], [aria-current="true"], a, button') ?? null;
}

/** Move the focus once the page has been drawn. */
export function focusRegion(region: Region): void {
  requestAnimationFrame(() => target(region)?.focus());
}

export function currentRegion(): Region | undefined {
  return document.activeElement?.closest<HTMLElement>("[data-region]")?.dataset.region as Region | undefined;
}

/** The region after (or before) the one that has the focus. */
export function cycleRegions(step: 1 | -1): void {
  const present = ORDER.filter((region) => target(region) !== null);
  const here = present.indexOf(currentRegion() ?? "rail");
  const next = present[(here + step + present.length) % present.length];
  if (next) focusRegion(next);
}
