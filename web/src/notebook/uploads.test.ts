import { expect, it } from "vitest";
import { fileOf } from "./uploads";

it("shows a file that was sent by its own name, and leaves other paths alone", () => {
  expect(fileOf(`uploads/${"0a".repeat(32)}/rain fall.csv`)).toBe("rain fall.csv");
  expect(fileOf("uploads/0a/rain.csv")).toBeUndefined();
  expect(fileOf(`https://example.org/uploads/${"0a".repeat(32)}/rain.csv`)).toBeUndefined();
});
