/** What the menu of new cells offers: a kind of cell, or a file of this computer. */
export type Choice = { name: string; title: string; group: string; summary: string };

/** The name of the choice that is no kind: a file of this computer, which becomes a load cell. */
export const FILE = "file";
