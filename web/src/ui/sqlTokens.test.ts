import { expect, it } from "vitest";
import { sqlTokens } from "./sqlTokens";

it("tells keywords, text, numbers and comments apart", () => {
  const kinds = sqlTokens("select 'it''s' x, 1.5 -- why\nfrom `group`").filter((token) => token.kind !== "plain");
  expect(kinds.map(({ kind, text }) => [kind, text])).toEqual([
    ["keyword", "select"],
    ["text", "'it''s'"],
    ["number", "1.5"],
    ["comment", "-- why"],
    ["keyword", "from"],
  ]);
});

it.each(["", "select * from t", "'open", "/* open", "`open", "a\u0000b 'x\\'y' \"z\"", "€ 💡 <script>"])(
  "loses no character of %j",
  (sql) => {
    expect(
      sqlTokens(sql)
        .map((token) => token.text)
        .join(""),
    ).toBe(sql);
  },
);
