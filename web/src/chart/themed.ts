export type Json = { [key: string]: unknown };

/** The colours of the page that a chart takes over. */
export type Look = {
  canvas: string;
  text: string;
  muted: string;
  border: string;
  grid: string;
  doubt: string;
  isDark: boolean;
};

/** Reads the page's colours as they are now, light or dark. */
export function lookOf(element: Element): Look {
  const probe = document.createElement("span");
  element.append(probe);
  const shown = (colour: string) => {
    probe.style.color = colour;
    return getComputedStyle(probe).color;
  };
  const read = (name: string) => shown(`var(${name})`);
  const look = {
    canvas: read("--canvas"),
    text: read("--text"),
    muted: read("--muted"),
    border: read("--border"),
    grid: read("--hairline"),
    doubt: read("--doubt"),
    isDark: shown("light-dark(white, black)") === shown("black"),
  };
  probe.remove();
  return look;
}

/** On a dark page the lightest blue stands out most, so it has to be the greatest value. */
const DARK_BLUES = { name: "blues", extent: [0.95, 0.2] };

/** A part of a specification for a dark page: scales go from dark blue to light blue, and what is ink becomes light. */
function forDark(part: unknown, ink: unknown, light: string): unknown {
  if (Array.isArray(part)) return part.map((each) => forDark(each, ink, light));
  if (part === null || typeof part !== "object") return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (key === "datasets") return [key, value];
      if (ink !== undefined && value === ink && (key === "value" || key === "titleColor")) return [key, light];
      if (key !== "scheme") return [key, forDark(value, ink, light)];
      if (value === "blues") return [key, DARK_BLUES];
      const isBlues = (value as Json | null)?.name === "blues";
      return [key, isBlues ? { ...(value as Json), ...DARK_BLUES } : value];
    }),
  );
}

/** The specification in the page's colours; what it says of marks and scales stays. */
export function themed(spec: Json, look: Look): Json {
  const config = (spec.config ?? {}) as { [part: string]: Json | undefined };
  const styles = config.style as { [name: string]: Json | undefined } | undefined;
  const words = { labelColor: look.muted, titleColor: look.text };
  const symbols = { symbolBaseFillColor: look.muted, symbolBaseStrokeColor: look.muted };
  return {
    ...(look.isDark ? (forDark(spec, config.text?.color, look.text) as Json) : spec),
    config: {
      ...config,
      background: "transparent",
      axis: { ...config.axis, ...words, gridColor: look.grid, domainColor: look.border, tickColor: look.border },
      legend: { ...config.legend, ...words, ...symbols },
      title: { ...config.title, color: look.text, subtitleColor: look.muted },
      text: { ...config.text, color: look.text },
      rule: { ...config.rule, color: look.muted },
      style: {
        ...styles,
        gap: { ...styles?.gap, stroke: look.canvas },
        rings: { ...styles?.rings, stroke: look.grid },
        ground: { ...styles?.ground, color: look.grid, stroke: look.canvas },
        doubt: { ...styles?.doubt, color: look.doubt, stroke: look.doubt },
        doubt_fill: { ...styles?.doubt_fill, color: look.doubt },
      },
    },
  };
}
