import { expect, it } from "vitest";
import { fromTsv, toTsv } from "./tsv";

it("gives back what it wrote, whatever stands in the cells", () => {
  const cells = [
    ["a", 'say "hi"', "two\nlines"],
    ["tab\there", "", "=B1*2"],
    ['"', '""', "1\r\n2"],
  ];
  expect(fromTsv(toTsv(cells))).toEqual(cells);
});

it("writes empty cells for nothing, and JSON for what is neither text nor number", () => {
  expect(toTsv([[null, 0, false, { a: 1 }]])).toBe('\t0\tfalse\t"{""a"":1}"');
});

it.each([
  [
    "a\tb\r\nc\td\r\n",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  ["one", [["one"]]],
  ["a\n\nb", [["a"], [""], ["b"]]],
  [
    "a\tb\nc",
    [
      ["a", "b"],
      ["c", ""],
    ],
  ],
  ['5" pipe\tx', [['5" pipe', "x"]]],
  ['"open\tx', [['"open', "x"]]],
])("reads %j", (text, cells) => {
  expect(fromTsv(text)).toEqual(cells);
});
