import { describe, expect, it } from "vitest";
import { completeSql } from "./completeSql";
import type { Names } from "./names";

const names: Names = {
  datasets: [
    { name: "prices", columns: [column("part"), column("unit price"), column("stock")] },
    { name: "suppliers", columns: [column("name"), column("town")] },
    { name: "2024 sales", columns: [column("part"), column("sold")] },
  ],
  parameters: ["least", "town"],
};

function column(name: string) {
  return { name, type: "string" };
}

/** The labels offered at the bar in a query. */
function at(marked: string, kind?: string): string[] | null {
  const position = marked.indexOf("|");
  const found = completeSql(marked.replace("|", ""), position, names);
  return found?.options.filter((each) => !kind || each.kind === kind).map((each) => each.label) ?? null;
}

describe("completion in a query", () => {
  it.each(["select * from |", "select * from pri|", "select 1 from prices p join |", "select 1 from prices, |"])(
    "offers the datasets in %j",
    (text) => expect(at(text)).toEqual(["prices", "suppliers", "2024 sales"]),
  );

  it("offers the columns of a dataset after its name or alias and a dot", () => {
    expect(at("select s.| from prices p join suppliers s")).toEqual(["name", "town"]);
    expect(at("select suppliers.to| from suppliers")).toEqual(["name", "town"]);
    expect(at("select y.| from `2024 sales` as y")).toEqual(["part", "sold"]);
    expect(at("select nobody.| from prices")).toBeNull();
  });

  it("offers the columns of the datasets the query names, each once", () => {
    expect(at("select p| from prices, `2024 sales`", "column")).toEqual(["part", "unit price", "stock", "sold"]);
    expect(at("select p|", "column")).toHaveLength(6);
  });

  it("offers parameters after a colon, but not after a cast", () => {
    expect(at("select * from prices where stock > :|")).toEqual(["least", "town"]);
    expect(at("select stock::|", "parameter") ?? []).toEqual([]);
  });

  it("offers nothing in texts and comments", () => {
    expect(at("select 'pri|")).toBeNull();
    expect(at("select 1 -- from |")).toBeNull();
    expect(at("select 'x' as p|", "column")).not.toBeNull();
  });

  it("writes names that are no plain words between backticks", () => {
    const found = completeSql("select * from ", 14, names);
    expect(found?.options.map((each) => each.apply)).toEqual([undefined, undefined, "`2024 sales`"]);
  });
});
