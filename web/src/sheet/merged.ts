type Cluster = { values: readonly { text: string | null }[]; name: string };

/** What stands there and what is to stand there instead, for every value that is not called so already. */
export function merged(clusters: readonly Cluster[]): Record<string, string> {
  return Object.fromEntries(
    clusters.flatMap(({ values, name }) =>
      name === "" ? [] : values.flatMap(({ text }) => (text === null || text === name ? [] : [[text, name]])),
    ),
  );
}
