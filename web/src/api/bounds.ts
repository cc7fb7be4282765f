import { useQuery } from "@tanstack/react-query";
import { client, type Dataset, type Schemas, unwrap } from "./client";
import { useAbout } from "./queries";

type Version = Pick<Dataset, "name" | "version">;

/** Between which values a cell lies. The server runs the query of the dataset once more, unless it has its bounds. */
export function fetchBounds(
  { name, version }: Version,
  row: number,
  column: string,
  signal?: AbortSignal,
): Promise<Schemas["CellBounds"]> {
  return unwrap(
    client.GET("/api/datasets/{name}/bounds", {
      params: { path: { name }, query: { row, column, version } },
      ...(signal && { signal }),
    }),
  );
}

export function boundsKey({ name, version }: Version, row: number, column: string) {
  return ["bounds", name, version, row, column];
}

/** How wide the bounds of each column are, as soon as they are worked out; nobody sees them through a share link. */
export function useWidths({ name, version }: Version, isDoubtful: boolean) {
  const about = useAbout();
  return useQuery({
    queryKey: ["widths", name, version],
    enabled: about.data !== undefined && !about.data.shared && isDoubtful,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/datasets/{name}/widths", {
          params: { path: { name }, query: { at_hand: true, version } },
          signal,
        }),
      ),
  });
}
