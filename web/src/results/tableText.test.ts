import { expect, it } from "vitest";
import { tableText } from "./tableText";

it("writes names and values for spreadsheets and as a table", () => {
  const { plain, html } = tableText(
    ["part", "price"],
    [
      ["Hex\tbolt", 0.42],
      ["nut", null],
    ],
  );
  expect(plain).toBe('part\tprice\n"Hex\tbolt"\t0.42\nnut\t');
  expect(html).toBe(
    "<table><thead><tr><th>part</th><th>price</th></tr></thead>" +
      "<tbody><tr><td>Hex\tbolt</td><td>0.42</td></tr><tr><td>nut</td><td></td></tr></tbody></table>",
  );
});

it("lets no value become markup", () => {
  const { html } = tableText(["<b>"], [['<img src="x">&'], ["two\nlines"]]);
  expect(html).toContain("<th>&lt;b&gt;</th>");
  expect(html).toContain("<td>&lt;img src=&quot;x&quot;&gt;&amp;</td>");
  expect(html).toContain("<td>two<br>lines</td>");
});
