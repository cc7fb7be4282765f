/** What was typed into the fields of a cell and is not yet sent; survives a reload. */
export type Draft = Record<string, string>;

const place = (notebook: string, cell: string) => `whence.draft.${notebook}.${cell}`;

export function readDraft(notebook: string, cell: string): Draft {
  try {
    return JSON.parse(window.localStorage.getItem(place(notebook, cell)) ?? "{}") as Draft;
  } catch {
    return {};
  }
}

export function keepDraft(notebook: string, cell: string, draft: Draft): void {
  if (Object.keys(draft).length === 0) window.localStorage.removeItem(place(notebook, cell));
  else window.localStorage.setItem(place(notebook, cell), JSON.stringify(draft));
}
