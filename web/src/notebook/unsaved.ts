/** What was typed into the fields of a cell and is not yet sent; survives a reload and a closed tab. */
export type Unsaved = {
  texts: Record<string, string>;
  /** The version that was shown when the first letter was typed; absent while nothing is typed. */
  base?: Base;
};

export type Base = { version: number; branch: string };

const PREFIX = "whence.unsaved.";
const place = (notebook: string, cell: string) => `${PREFIX}${notebook}.${cell}`;

/** What this tab typed, or else what a tab that was closed left behind; what another tab is typing is its own. */
export function readUnsaved(notebook: string, cell: string): Unsaved {
  const key = place(notebook, cell);
  const left = window.localStorage.getItem(key);
  window.localStorage.removeItem(key);
  const text = window.sessionStorage.getItem(key) ?? left;
  if (text === null) return { texts: {} };
  window.sessionStorage.setItem(key, text);
  try {
    const stored = JSON.parse(text) as Partial<Unsaved>;
    return { ...stored, texts: stored.texts ?? {} };
  } catch {
    return { texts: {} };
  }
}

export function keepUnsaved(notebook: string, cell: string, unsaved: Unsaved): void {
  if (isNothing(unsaved)) window.sessionStorage.removeItem(place(notebook, cell));
  else window.sessionStorage.setItem(place(notebook, cell), JSON.stringify(unsaved));
}

/** A tab that closes takes its own storage with it, so what it had not sent is left to the next tab that opens. */
export function leaveUnsaved(): void {
  for (const [key, text] of Object.entries(window.sessionStorage))
    if (key.startsWith(PREFIX)) window.localStorage.setItem(key, text);
}

window.addEventListener("pagehide", leaveUnsaved);

export function isNothing({ texts }: Unsaved): boolean {
  return Object.keys(texts).length === 0;
}

/** After one more letter. Everything typed is compared with the version in which the typing began. */
export function withTyped(unsaved: Unsaved, name: string, text: string, now: Base): Unsaved {
  return { texts: { ...unsaved.texts, [name]: text }, base: unsaved.base ?? now };
}

/** After the server has taken `saved` as a new version; what was typed since then stays. */
export function withoutSaved(unsaved: Unsaved, saved: Record<string, string>, now: Base): Unsaved {
  const texts = Object.fromEntries(Object.entries(unsaved.texts).filter(([name, text]) => saved[name] !== text));
  return isNothing({ texts }) ? { texts } : { texts, base: now };
}

/**
 * The version to compare with when the text is sent, so that an edit of somebody else since then is found. A text that
 * was typed on another branch, or in another workspace at the same address, has no version here to compare with.
 */
export function baseVersion({ base }: Unsaved, now: Base): number {
  return base?.branch === now.branch ? Math.min(base.version, now.version) : now.version;
}
