import { expect, test } from "vitest";
import { asFile, describeTable, freeName } from "./pastedTable";

test("a pasted text is described by its lines, columns and separator", () => {
  expect(describeTable("part\tprice, net\nA\t1\n\n")).toEqual({ lines: 2, columns: 2, words: "tabs", ending: "tsv" });
  expect(describeTable('a,"b,c",d\r\n1,2,3')).toEqual({ lines: 2, columns: 3, words: "commas", ending: "csv" });
  expect(describeTable("a;b\n1,5;2")).toEqual({ lines: 2, columns: 2, words: "semicolons", ending: "csv" });
  expect(describeTable("one\ntwo")).toEqual({ lines: 2, columns: 1, words: "nothing", ending: "csv" });
  expect(describeTable(" \n")).toBeUndefined();
});

test("the file has the name of the dataset and the text as it was pasted", async () => {
  const table = describeTable("a\tb\n1\t2");
  const file = table && asFile("my/rows", "a\tb\n1\t2", table);
  expect(file?.name).toBe("my_rows.tsv");
  expect(await file?.text()).toBe("a\tb\n1\t2");
});

test("a name that is taken gets a number", () => {
  expect(freeName("pasted", ["prices"])).toBe("pasted");
  expect(freeName("pasted", ["Pasted", "pasted_2"])).toBe("pasted_3");
});
