import { expect, it } from "vitest";
import type { Kind, Notebook } from "../api/notebooks";
import { asText, fromText, startingValues } from "./values";

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

it("names a new cell as no other is named", () => {
  const kind = { name: "sql", parameters: [{ name: "name", type: "text", is_required: true, choices: [] }] };
  const notebook = { cells: [{ values: { name: "sql_1" }, datasets: [] }] };
  const values = startingValues(kind as unknown as Kind, notebook as unknown as Notebook);
  expect(values.name).toBe("sql_2");
  const known = ["sql_2", "sql_3"]; // datasets of other notebooks
  expect(startingValues(kind as unknown as Kind, notebook as unknown as Notebook, known).name).toBe("sql_4");
});
