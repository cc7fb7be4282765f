export type Json = { [key: string]: unknown };

/** The colours of the page that a chart takes over. */
export type Look = { canvas: string; text: string; muted: string; border: string; grid: string };

/** Reads the page's colours as they are now, light or dark. */
export function lookOf(element: Element): Look {
  const probe = document.createElement("span");
  element.append(probe);
  const read = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const look = {
    canvas: read("--canvas"),
    text: read("--text"),
    muted: read("--muted"),
    border: read("--border"),
    grid: read("--hairline"),
  };
  probe.remove();
  return look;
}

/** The specification in the page's colours; what it says of marks and scales stays. */
export function themed(spec: Json, look: Look): Json {
  const config = (spec.config ?? {}) as { [part: string]: Json | undefined };
  const styles = config.style as { [name: string]: Json | undefined } | undefined;
  const words = { labelColor: look.muted, titleColor: look.text };
  return {
    ...spec,
    config: {
      ...config,
      background: "transparent",
      axis: { ...config.axis, ...words, gridColor: look.grid, domainColor: look.border, tickColor: look.border },
      legend: { ...config.legend, ...words },
      title: { ...config.title, color: look.text, subtitleColor: look.muted },
      text: { ...config.text, color: look.text },
      rule: { ...config.rule, color: look.muted },
      style: {
        ...styles,
        gap: { ...styles?.gap, stroke: look.canvas },
        rings: { ...styles?.rings, stroke: look.grid },
        ground: { ...styles?.ground, color: look.grid, stroke: look.canvas },
      },
    },
  };
}
