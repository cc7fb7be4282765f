import { expect, it } from "vitest";
import { completePython } from "./completePython";
import { parametersIn } from "./names";

const names = {
  datasets: [
    { name: "prices", columns: [column("part"), column("unit price")] },
    { name: "suppliers", columns: [column("town")] },
  ],
  parameters: ["least"],
};

function column(name: string) {
  return { name, type: "string" };
}

function at(marked: string): string[] | undefined {
  const found = completePython(marked.replace("|", ""), marked.indexOf("|"), names);
  return found?.options.map((each) => each.label);
}

it.each([
  ['ws["|', ["prices", "suppliers"]],
  ["x = ws['pr|", ["prices", "suppliers"]],
  ['ws.parameters["|', ["least"]],
  ['p = ws["prices"].to_pandas()\np["|', ["part", "unit price"]],
  ['p = ws["prices"].to_pandas()\np.pa|', ["part"]],
  ['ws["prices"] = 1\nx["|', undefined],
  ['# ws["|', undefined],
  ['x = "done"; |', undefined],
  ["ws.|", ["parameters", "export", "open", "spark"]],
  ["x = pri|", ["prices", "suppliers"]],
  ["x.unknown|", undefined],
  ["# pri|", undefined],
])("offers in %j what is known there", (text, labels) => {
  expect(at(text as string)).toEqual(labels);
});

it("finds the parameters a cell sets, as a mapping or as lines", () => {
  expect(parametersIn({ least: 3, town: "Ulm" })).toEqual(["least", "town"]);
  expect(parametersIn("least = 3\n# a note\n town=Ulm")).toEqual(["least", "town"]);
  expect(parametersIn(null)).toEqual([]);
});

it("writes a dataset as what gives it, and offers what a dataset can be asked for", () => {
  const named = completePython("pri", 3, names);
  expect([named?.from, named?.options[0]?.apply]).toEqual([0, 'ws["prices"]']);
  expect(at('ws["prices"].to|')).toContain("to_pandas");
});
