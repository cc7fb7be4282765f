import { useSyncExternalStore } from "react";

export const PARTS = ["Everywhere", "Notebook", "Dataset", "Sheet", "Caveats", "Charts", "Lineage"] as const;
export type Part = (typeof PARTS)[number];

/** What keys can be given to, where it works, and the keys it has until somebody gives it others. */
const COMMANDS = {
  search: ["Everywhere", "Ctrl+K", "Go anywhere, do anything"],
  nextRegion: ["Everywhere", "F6", "Next part of the page"],
  rail: ["Everywhere", "Ctrl+B", "Show or hide the rail"],
  inspector: ["Everywhere", "Ctrl+.", "Show or hide the inspector"],
  help: ["Everywhere", "?", "This list"],
  run: ["Notebook", "Ctrl+Enter", "Run the cell"],
  runAndGoOn: ["Notebook", "Shift+Enter", "Run it and go on"],
  runAndInsert: ["Notebook", "Alt+Enter", "Run it and add a cell"],
  runUpstream: ["Notebook", "Ctrl+Alt+Enter", "Run it with what it needs"],
  runStale: ["Notebook", "Ctrl+Shift+R", "Run what is stale"],
  interrupt: ["Notebook", "Ctrl+I", "Stop the cell"],
  goDown: ["Notebook", "J", "Next cell"],
  goUp: ["Notebook", "K", "Previous cell"],
  insertAbove: ["Notebook", "A", "Add a cell above"],
  insertBelow: ["Notebook", "B", "Add a cell below"],
  chooseKind: ["Notebook", "+", "Choose what to add below"],
  cut: ["Notebook", "X", "Cut the cell"],
  copy: ["Notebook", "C", "Copy the cell"],
  paste: ["Notebook", "V", "Paste a cell"],
  undo: ["Notebook", "Z", "Take the last change back"],
  toMarkdown: ["Notebook", "M", "Make it a note"],
  toSql: ["Notebook", "Y", "Make it SQL"],
  toPython: ["Notebook", "P", "Make it Python"],
  freeze: ["Notebook", "F", "Freeze or thaw it"],
  moveUp: ["Notebook", "Alt+ArrowUp", "Move it up"],
  moveDown: ["Notebook", "Alt+ArrowDown", "Move it down"],
  nextDoubt: ["Dataset", "F8", "Next doubtful cell, in a sheet, too"],
  previousDoubt: ["Dataset", "Shift+F8", "Previous doubtful cell"],
  goTo: ["Sheet", "Ctrl+G", "Go to a row"],
  fill: ["Sheet", "Ctrl+D", "Fill down"],
  find: ["Sheet", "Ctrl+F", "Find"],
  replace: ["Sheet", "Ctrl+H", "Find and replace"],
  columnMenu: ["Sheet", "Alt+ArrowDown", "Column menu"],
  apply: ["Sheet", "Ctrl+S", "Keep what was typed, and apply the edits"],
  history: ["Sheet", "Ctrl+Shift+H", "What was done to the cell"],
  precedents: ["Sheet", "Ctrl+[", "What the cell came from"],
  nextGroup: ["Caveats", "J", "Next group"],
  previousGroup: ["Caveats", "K", "Previous group"],
  acknowledge: ["Caveats", "E", "Acknowledge"],
  doubtAgain: ["Caveats", "U", "Doubt again"],
  findNode: ["Lineage", "/", "Find"],
  showAll: ["Lineage", "F", "Fit the graph into view"],
} as const satisfies Record<string, readonly [Part, string, string]>;

export type CommandId = keyof typeof COMMANDS;
export const COMMAND_IDS = Object.keys(COMMANDS) as CommandId[];

type Bindings = Partial<Record<CommandId, string>>;
type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

const STORED = "whence.keys";
/** Keys that mean the same everywhere; nothing else can have them. */
const FIXED = new Set([
  ...["Escape", "Tab", "Shift+Tab", "Enter", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "F2"],
  ...["Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+Y", "Ctrl+X", "Ctrl+C", "Ctrl+V", "Ctrl+A"],
]);
const listeners = new Set<() => void>();
let known: Bindings | undefined;

function bindings(): Bindings {
  known ??= read(window.localStorage.getItem(STORED));
  return known;
}

/** What is stored, as far as it makes sense. */
function read(text: string | null): Bindings {
  try {
    const given: unknown = JSON.parse(text ?? "{}");
    const pairs = Object.entries(given ?? {}).filter(
      ([id, chord]) => id in COMMANDS && typeof chord === "string" && chord !== "",
    );
    return Object.fromEntries(pairs);
  } catch {
    return {};
  }
}

function write(next: Bindings): void {
  known = next;
  window.localStorage.setItem(STORED, JSON.stringify(next));
  for (const listener of listeners) listener();
}

export function partOf(id: CommandId): Part {
  return COMMANDS[id][0];
}

export function wordsOf(id: CommandId): string {
  return COMMANDS[id][2];
}

/** The keys of a command now. */
export function chordFor(id: CommandId): string {
  return bindings()[id] ?? COMMANDS[id][1];
}

export function isRebound(id: CommandId): boolean {
  return bindings()[id] !== undefined;
}

/** Keys as they are written on the page: Ctrl K. */
export function keysFor(id: CommandId): string {
  return keyNames(chordFor(id)).join(" ");
}

const NAMES: Record<string, string> = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };

export function keyNames(chord: string): string[] {
  const parts = chord.endsWith("+") ? [...chord.slice(0, -1).split("+").filter(Boolean), "+"] : chord.split("+");
  return parts.map((part) => NAMES[part] ?? part);
}

/** What was pressed, in one word; undefined while only Ctrl or the like is held. A sign is the same with and without Shift. */
export function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Key): string | undefined {
  if (["Control", "Shift", "Alt", "Meta", "AltGraph"].includes(key)) return undefined;
  const isSign = key.length === 1 && key.toLowerCase() === key.toUpperCase();
  const name = key === " " ? "Space" : key.length === 1 ? key.toUpperCase() : key;
  const held = [(ctrlKey || metaKey) && "Ctrl", altKey && "Alt", shiftKey && !isSign && "Shift"];
  return [...held.filter((each) => each !== false), name].join("+");
}

/** Whether a key press means a command. */
export function isKey(event: Key, id: CommandId): boolean {
  return chordOf(event) === chordFor(id);
}

/** The command of a part of the page that a key press means, among some. */
export function commandIn<Id extends CommandId>(event: Key, ids: readonly Id[]): Id | undefined {
  const chord = chordOf(event);
  return chord === undefined ? undefined : ids.find((id) => chordFor(id) === chord);
}

/** Whether keys would put a character into a text. */
export function isTypable(chord: string): boolean {
  return /^(Shift\+)?.$/u.test(chord) || chord === "Space";
}

/** Gives a command other keys; what stands in the way is said instead. */
export function rebind(id: CommandId, chord: string): string | undefined {
  if (FIXED.has(chord)) return `${keyNames(chord).join(" ")} always means the same and cannot be given away.`;
  if (partOf(id) === "Sheet" && isTypable(chord)) return `In a sheet ${keyNames(chord).join(" ")} begins to write.`;
  const other = COMMAND_IDS.find((each) => each !== id && chordFor(each) === chord && meets(each, id));
  if (other) return `${keyNames(chord).join(" ")} is taken: ${wordsOf(other)} (${partOf(other)}).`;
  const { [id]: _, ...others } = bindings();
  write(chord === COMMANDS[id][1] ? others : { ...others, [id]: chord });
  return undefined;
}

/** Two commands that can be meant at the same time. */
function meets(one: CommandId, other: CommandId): boolean {
  const [a, b] = [partOf(one), partOf(other)];
  const isShared = (part: Part) => part === "Everywhere";
  const isTable = (part: Part) => part === "Dataset" || part === "Sheet";
  return a === b || isShared(a) || isShared(b) || (isTable(a) && isTable(b));
}

/** One command, or all, as they were at first; refused if another command has those keys by now. */
export function reset(id?: CommandId): string | undefined {
  if (id !== undefined) return rebind(id, COMMANDS[id][1]);
  write({});
  return undefined;
}

/** Draws again when keys change. */
export function useKeymap(): void {
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => bindings(),
  );
}

// Another tab may give commands other keys.
window.addEventListener("storage", ({ key }) => {
  if (key !== STORED && key !== null) return;
  known = undefined;
  for (const listener of listeners) listener();
});
