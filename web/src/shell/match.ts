/**
 * How well a text answers what was typed: higher is better, undefined is no answer. A run of letters that stands at the
 * start of a word counts most; letters that only come in the same order count least.
 */
export function match(typed: string, text: string): number | undefined {
  const [wanted, given] = [typed.trim().toLowerCase(), text.toLowerCase()];
  if (wanted === "") return 0;
  const at = given.indexOf(wanted);
  if (at >= 0) return (at === 0 ? 300 : /[^a-z0-9]/.test(given.charAt(at - 1)) ? 200 : 100) - given.length / 100;
  let position = -1;
  for (const letter of wanted.replace(/\s+/g, "")) {
    position = given.indexOf(letter, position + 1);
    if (position < 0) return undefined;
  }
  return 10 - given.length / 100;
}

/** The entries that answer, best first; equals stay in the order they came. */
export function bestMatches<T extends { label: string }>(typed: string, entries: T[], most: number): T[] {
  return entries
    .flatMap((entry) => {
      const score = match(typed, entry.label);
      return score === undefined ? [] : [{ entry, score }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ entry }) => entry);
}
