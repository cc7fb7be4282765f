import { expect, it } from "vitest";
import { linesOf, overlapWords } from "./compared";
import { marked, NOTHING } from "./marking";

it("holds two answers against each other, mark by mark and on average", () => {
  const marking = marked(NOTHING, [1, 2], "outlier", true);
  const lines = linesOf(marking, ["a", "b", "c", "d"], [1, 10, 20, 3], [1, 4, null, 2], [1, 5, 6, 3]);
  expect(lines).toEqual([
    { mark: 1, words: "b", before: 10, after: [4, 5] },
    { mark: 2, words: "c", before: 20, after: [null, 6] },
    { mark: undefined, words: "mean of the 2 odd marks", before: 15, after: [4, 5.5] },
    { mark: undefined, words: "mean of all others", before: 2, after: [1.5, 2] },
  ]);
  const fine = marked(marked(NOTHING, [1], "outlier", true), [0], "fine", true);
  expect(linesOf(fine, [], [1, 10, 20], [1, 2, 3], [1, 2, 3]).at(-1)?.words).toBe("mean of the fine marks");
});

it("says how far they are about the same rows", () => {
  expect(overlapWords({ one: 3, other: 4, both: 0 })).toBe("They have no row in common.");
  expect(overlapWords({ one: 3, other: 3, both: 3 })).toBe("Both take the same 3 rows.");
  expect(overlapWords({ one: 1, other: 4, both: 1 })).toBe("What A takes (1 row), B takes as well.");
  expect(overlapWords({ one: 1000, other: 40, both: 40 })).toBe("What B takes (40 rows), A takes as well.");
  expect(overlapWords({ one: 200, other: 40, both: 20 })).toBe("20 rows in common: 10 % of A, 50 % of B.");
});
