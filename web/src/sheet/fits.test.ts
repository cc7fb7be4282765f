import { expect, it } from "vitest";
import { misfit } from "./fits";

it.each([
  ["12", "int"],
  ["-7", "bigint"],
  [" 2.5 ", "double"],
  ["1e3", "decimal(10,2)"],
  ["2024-02-29", "date"],
  ["2024-02-29 13:30", "timestamp"],
  ["2024-02-29T13:30:00Z", "timestamp_ntz"],
  ["TRUE", "boolean"],
  ["anything", "string"],
  ["anything", null],
  ["", "int"],
  ["=B1*2", "int"],
])("%s fits %s", (text, type) => {
  expect(misfit(text, type)).toBeUndefined();
});

it.each([
  ["21 USD", "double"],
  ["2.5", "int"],
  ["2023-02-29", "date"],
  ["yes", "boolean"],
  ["noon", "timestamp"],
])("%s does not fit %s", (text, type) => {
  expect(misfit(text, type)).toContain(text);
});
