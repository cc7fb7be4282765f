import { expect, it } from "vitest";
import { type EntryField, entriesOf, fieldsOf, textOfEntries } from "./entries";

const COMMENT: EntryField[] = [
  { name: "text", kind: "text", label: "" },
  { name: "row", kind: "whole", label: "" },
  { name: "where", kind: "condition", label: "" },
];
const ROWS: EntryField[] = [
  { name: "shop", kind: "value", label: "string" },
  { name: "price", kind: "value", label: "double" },
];

it.each([
  ['[{"text":"in cents","row":3},{"text":"twice","where":"price > 3"}]', COMMENT],
  ['[{"shop":"Acme","price":2.5},{"shop":"12","price":null}]', ROWS],
  ["", COMMENT],
])("shows %s in fields and reads the same back", (text, fields) => {
  expect(textOfEntries(entriesOf(text, fields) ?? [], fields)).toBe(text);
});

it("leaves out what holds nothing", () => {
  expect(textOfEntries([{ text: "late", row: " " }, { text: "" }], COMMENT)).toBe('[{"text":"late"}]');
});

it("leaves what the fields cannot show to a plain field", () => {
  for (const text of ["[{", '{"text":"a"}', '[{"other":1}]', '[{"text":3}]', "[1]"])
    expect(entriesOf(text, COMMENT)).toBeUndefined();
});

it("asks for the columns of the source where nothing is declared", () => {
  const parameter = {
    name: "rows",
    kind: "entries",
    label: "",
    is_required: false,
    default: null,
    choices: [],
  } as const;
  const source = { name: "sold", columns: [{ name: "shop", type: "string" }] };
  expect(fieldsOf({ ...parameter, choices: [], least: null, fields: [] }, source)).toEqual([ROWS[0]]);
  expect(fieldsOf({ ...parameter, choices: [], least: null, fields: [] }, undefined)).toEqual([]);
});
