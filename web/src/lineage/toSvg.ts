import { HEIGHT, type Layout, WIDTH } from "./layOut";

type Palette = {
  canvas: string;
  box: string;
  border: string;
  text: string;
  muted: string;
  accent: string;
  doubt: string;
};

/** A file knows nothing of the page's styles, so it carries its colours itself. */
const PALETTES: Record<"light" | "dark", Palette> = {
  light: {
    canvas: "#ffffff",
    box: "#ffffff",
    border: "#c6c6cf",
    text: "#1c1c21",
    muted: "#63636e",
    accent: "#4353d6",
    doubt: "#d92d20",
  },
  dark: {
    canvas: "#131316",
    box: "#212126",
    border: "#4a4a54",
    text: "#ececf1",
    muted: "#a0a0ac",
    accent: "#8d9bff",
    doubt: "#ff6f61",
  },
};

const LETTERS = { title: 25, detail: 31 };

/** A drawing of the graph that stands for itself: for a document, a ticket or a slide. */
export function toSvg(layout: Layout, lit: Set<string> | undefined, colours: "light" | "dark"): string {
  const palette = PALETTES[colours];
  const [width, height] = [Math.ceil(layout.width), Math.ceil(layout.height)];
  const lines = layout.edges.map(({ edge, path }) => {
    const isLit = lit?.has(edge.from) && lit.has(edge.to);
    const dashes = edge.isDeciding ? ' stroke-dasharray="5 4"' : "";
    const faint = lit && !isLit ? ' opacity="0.25"' : "";
    const colour = isLit ? palette.accent : palette.muted;
    return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.5"${dashes}${faint} marker-end="url(#tip)"/>`;
  });
  const boxes = layout.nodes.map(({ node, x, y }) => {
    const faint = lit && !lit.has(node.id) ? ' opacity="0.4"' : "";
    const doubt = node.isDoubtful
      ? `<path d="M${WIDTH - 12} 0h12v12z" fill="${palette.doubt}"><title>doubtful</title></path>`
      : "";
    return [
      `<g transform="translate(${x} ${y})"${faint}>`,
      `<title>${escaped(`${node.title}\n${node.detail}`)}</title>`,
      `<rect width="${WIDTH}" height="${HEIGHT}" rx="8" fill="${palette.box}" stroke="${palette.border}"/>`,
      `<text x="14" y="26" font-size="13" font-weight="600" fill="${palette.text}">${short(node.title, LETTERS.title)}</text>`,
      `<text x="14" y="43" font-size="11" fill="${palette.muted}">${short(node.detail, LETTERS.detail)}</text>`,
      `${doubt}</g>`,
    ].join("");
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif">`,
    `<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" orient="auto" markerUnits="userSpaceOnUse"><path d="M0 0 8 4 0 8z" fill="${palette.muted}"/></marker></defs>`,
    `<rect width="100%" height="100%" fill="${palette.canvas}"/>`,
    ...lines,
    ...boxes,
    "</svg>\n",
  ].join("\n");
}

function short(text: string, letters: number): string {
  const all = [...text.replace(/\s+/g, " ")];
  return escaped(all.length > letters ? `${all.slice(0, letters - 1).join("")}…` : all.join(""));
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** XML has no way to write most control characters, so they go. */
function escaped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "").replace(/[&<>"]/g, (c) => ENTITIES[c] ?? c);
}
