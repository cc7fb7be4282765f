import { useMutation, useQuery } from "@tanstack/react-query";
import { client, type Dataset, type Schemas, unwrap } from "../api/client";

export function useGraph() {
  return useQuery({
    queryKey: ["datasets", "graph"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/graph", { signal })),
  });
}

type Chosen = { dataset: Dataset | undefined; row: number | undefined };

/** How many rows of every dataset lie behind a row or came of it. */
export function useReached({ dataset, row }: Chosen, isWanted: boolean) {
  return useQuery({
    queryKey: ["reached", dataset?.name, dataset?.version, row],
    enabled: isWanted && dataset !== undefined && row !== undefined,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/datasets/{name}/reached", {
          params: { path: { name: dataset?.name ?? "" }, query: { row: row ?? 0, version: dataset?.version ?? 1 } },
          signal,
        }),
      ),
  });
}

/** The tree of values behind a value. */
export function useWay({ dataset, row }: Chosen, column: string | undefined, isWanted: boolean) {
  return useQuery({
    queryKey: ["way", dataset?.name, dataset?.version, row, column],
    enabled: isWanted && dataset !== undefined && row !== undefined && column !== undefined,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/datasets/{name}/way", {
          params: {
            path: { name: dataset?.name ?? "" },
            query: { row: row ?? 0, column: column ?? "", version: dataset?.version ?? 1 },
          },
          signal,
        }),
      ),
  });
}

/** The columns behind a column, and those it went into. */
export function useColumns(dataset: Dataset | undefined, column: string | undefined, isWanted: boolean) {
  return useQuery({
    queryKey: ["datasets", "columns", dataset?.name, dataset?.version, column],
    enabled: isWanted && dataset !== undefined && column !== undefined,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/datasets/{name}/column-lineage", {
          params: {
            path: { name: dataset?.name ?? "" },
            query: { column: column ?? "", version: dataset?.version ?? 1 },
          },
          signal,
        }),
      ),
  });
}

type WhyNot = { into: Schemas["DatasetVersion"]; source: string; row?: number; where?: string };

/** What became of the rows somebody looks for; the queries run again for it, so it is asked only on purpose. */
export function useWhyNot() {
  return useMutation({
    mutationFn: ({ into, source, row, where }: WhyNot) =>
      unwrap(
        client.POST("/api/datasets/{name}/why-not", {
          params: { path: { name: into.name } },
          body: { source, row: row ?? null, where: where ?? null, version: into.version },
        }),
      ),
  });
}

export type Traced = { from: Dataset; row: number; to: string; direction: "backward" | "forward" };

const SHOWN = 50;

/** The rows of another dataset behind a row, or made from it. */
export function useTraced(asked: Traced | undefined) {
  return useQuery({
    queryKey: ["traced", asked?.from.name, asked?.from.version, asked?.row, asked?.to, asked?.direction],
    enabled: asked !== undefined,
    queryFn: ({ signal }) =>
      unwrap(
        client.POST("/api/datasets/{name}/trace", {
          params: { path: { name: asked?.from.name ?? "" } },
          body: {
            direction: asked?.direction ?? "backward",
            to: asked?.to ?? "",
            rows: [asked?.row ?? 0],
            version: asked?.from.version ?? 1,
            path: [],
            influence: false,
            offset: 0,
            limit: SHOWN,
          },
          signal,
        }),
      ),
  });
}
