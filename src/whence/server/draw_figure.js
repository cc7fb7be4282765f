// Draws the figure of this document; a figure that Plotly cannot draw here says so.
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const { theme } = read("given");
const figure = read("drawn");
const root = document.getElementById("figure");
const isDark = theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);

/** The same data with the parts that need WebGL drawn without it: that is slower, and looks the same. */
const traces = (figure.data ?? []).map((trace) =>
  trace.type === "scattergl" ? { ...trace, type: "scatter" } : trace,
);
const known = Plotly.PlotSchema.get().traces;
const unknown = traces.map(({ type = "scatter" }) => type).filter((type) => !(type in known));

/** Colours for a dark page, unless the figure has its own. */
function darkened(layout) {
  const { template = {}, ...own } = layout;
  const axis = { gridcolor: "#8884", linecolor: "#8886", zerolinecolor: "#8886" };
  const { xaxis, yaxis, font, ...rest } = template.layout ?? {};
  const dark = {
    ...rest,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { ...font, color: "#e4e4e7" },
    xaxis: { ...xaxis, ...axis },
    yaxis: { ...yaxis, ...axis },
  };
  return { ...own, template: { ...template, layout: dark } };
}

function say(text) {
  const line = document.createElement("p");
  line.textContent = text;
  root.replaceChildren(line);
}

if (unknown.length > 0) say(`Figures of the kind ${[...new Set(unknown)].join(", ")} are not drawn here.`);
else {
  const layout = isDark ? darkened(figure.layout ?? {}) : (figure.layout ?? {});
  const config = { responsive: true, displaylogo: false, modeBarButtonsToRemove: ["toImage"] };
  Plotly.newPlot(root, { data: traces, layout, frames: figure.frames ?? [], config }).catch((error) =>
    say(`The figure could not be drawn: ${error.message ?? error}`),
  );
}
