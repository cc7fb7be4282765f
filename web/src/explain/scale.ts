import type { Answer } from "./api";

/** From the greatest effect in all to the greatest effect for each row that goes. */
export const SCALE: { name: string; at: number; meaning: string }[] = [
  { name: "Broad", at: 0, meaning: "the greatest effect, however many rows it takes" },
  { name: "Wide", at: 0.1, meaning: "a great effect, without rows that hardly matter" },
  { name: "Balanced", at: 0.25, meaning: "effect and number of rows weighed against each other" },
  { name: "Narrow", at: 0.5, meaning: "a strong effect for every row that goes" },
  { name: "Pinpoint", at: 1, meaning: "the few rows that are farthest off" },
];

/** Whether an answer is the best somewhere near a place of the scale; the one nearest to it always is. */
export function isAt(answer: Answer, at: number, answers: Answer[]): boolean {
  const nearest = Math.min(...answers.map((each) => distance(each, at)));
  return distance(answer, at) <= nearest + 1e-9;
}

function distance({ broadest: low, narrowest: high }: Answer, at: number): number {
  return at < low ? low - at : at > high ? at - high : 0;
}

/** Where on the scale an answer is the best, in words. */
export function nameOf({ broadest: low, narrowest: high }: Answer): string {
  const middle = (low + Math.min(high, 1)) / 2;
  const found = SCALE.reduce((best, each) => (Math.abs(each.at - middle) < Math.abs(best.at - middle) ? each : best));
  return found.name;
}
