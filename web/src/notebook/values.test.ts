import { expect, it } from "vitest";
import { asText, fromText } from "./values";

it.each([
  ["text", "hello", "hello"],
  ["number", "2.5", 2.5],
  ["columns", "a, b", ["a", "b"]],
  ["mapping", '{"a":"b"}', { a: "b" }],
  ["flag", "true", true],
])("reads a %s field back as it was shown", (type, text, value) => {
  expect(fromText(type, text)).toEqual(value);
  expect(asText(value)).toBe(text);
});

it("keeps what cannot be read, so that the server says what is wrong", () => {
  expect(fromText("number", "many")).toBe("many");
  expect(fromText("mapping", "{a")).toBe("{a");
  expect(fromText("text", "  ")).toBeNull();
});
