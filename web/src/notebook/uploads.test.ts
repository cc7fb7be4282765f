import { expect, it } from "vitest";
import { fileOf, withShortUploads } from "./uploads";

it("shows a file that was sent by its own name, and leaves other paths alone", () => {
  expect(fileOf(`uploads/${"0a".repeat(32)}/rain fall.csv`)).toBe("rain fall.csv");
  expect(fileOf("uploads/0a/rain.csv")).toBeUndefined();
  expect(fileOf(`https://example.org/uploads/${"0a".repeat(32)}/rain.csv`)).toBeUndefined();
});

it("names a file of the workspace by few digits of its content", () => {
  expect(withShortUploads(`+uploads/${"0a".repeat(32)}/rain.csv`)).toBe("+rain.csv (0a0a0a0)");
  expect(withShortUploads("-uploads/0a/rain.csv")).toBe("-uploads/0a/rain.csv");
});
