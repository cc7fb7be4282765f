// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { layOut } from "./layOut";
import { toSvg } from "./toSvg";

const node = (id: string, isDoubtful = false) => ({
  id,
  title: `${id} & <script>alert("x")</script>`,
  detail: "7 rows",
  kind: "sql",
  isDoubtful,
  hidden: { up: 0, down: 0 },
});

it("draws every box and line as a picture of its own, in which names are text", () => {
  const layout = layOut({ nodes: [node("a", true), node("b")], edges: [{ from: "a", to: "b", isDeciding: true }] });
  const picture = new DOMParser().parseFromString(toSvg(layout, new Set(["a", "b"]), "dark"), "image/svg+xml");
  expect(picture.querySelector("parsererror")).toBeNull();
  expect(picture.querySelectorAll("g")).toHaveLength(2);
  expect(picture.querySelectorAll("script")).toHaveLength(0);
  expect([...picture.querySelectorAll("g > title")].map((each) => each.textContent)).toContain(
    'a & <script>alert("x")</script>\n7 rows',
  );
  expect(picture.querySelectorAll("path[stroke-dasharray]")).toHaveLength(1);
});
