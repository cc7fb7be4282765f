import { expect, it } from "vitest";
import { formatSince, parseSince } from "./since";

it.each([
  { kind: "dataset" as const, name: "prices", version: 1 },
  { kind: "notebook" as const, name: "a@b:c\nd", version: 0 },
  { kind: "notebook" as const, name: "tour" },
])("writes %o into the address and reads it back", (since) => {
  expect(parseSince(formatSince(since))).toEqual(since);
});

it.each([undefined, "", "prices@1", "cell:prices@1", "dataset:@1", "dataset:prices@-1", "dataset:prices"])(
  "takes %s for no version",
  (text) => {
    expect(parseSince(text)).toBeUndefined();
  },
);
