import { expect, it } from "vitest";
import { failedLine } from "./failedLine";

it("finds the line of the cell that was running, not those that led to it or libraries below it", () => {
  const text = `Traceback (most recent call last):
  File "<cell>", line 6, in <module>
    look(frame)
  File "<cell>", line 4, in look
    return frame['missing']
           ~~~~~^^^^^^^^^^^
  ... 2 frames, down to get_loc in pandas/core/indexes/base.py
KeyError: 'missing'`;
  expect(failedLine(text.split("\n"))).toBe(4);
});

it("finds nothing where no line of code stands", () => {
  expect(failedLine(["KeyError: 3"])).toBeUndefined();
  expect(failedLine(['  File "<cell>", line 6, in <module>', "KeyError: 3"])).toBeUndefined();
});
