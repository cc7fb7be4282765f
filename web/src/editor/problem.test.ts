import { expect, it } from "vitest";
import { problemIn } from "./problem";

const error = (line: number | null, column: number | null) => ({
  message: "wrong",
  hint: "",
  line,
  column,
  traceback: "",
  kind: "BadQuery",
});

const text = "select pric\n  from prices";
const marked = (line: number | null, column: number | null) => {
  const found = problemIn(text, error(line, column));
  return found && text.slice(found.from, found.to);
};

it("underlines the word at the place an error names", () => {
  expect(marked(1, 8)).toBe("pric");
  expect(marked(2, 8)).toBe("prices");
});

it("underlines the line if the error names no column in it", () => {
  expect(marked(2, null)).toBe("from prices");
  expect(marked(1, 400)).toBe("select pric");
});

it("underlines nothing if the line is not there", () => {
  expect(marked(null, null)).toBeUndefined();
  expect(marked(7, 1)).toBeUndefined();
  expect(problemIn(text, null)).toBeUndefined();
});
