import { type QueryClient, useQuery } from "@tanstack/react-query";
import { ApiError, client, type Dataset, type Page, type Schemas, unwrap } from "./client";

/** All datasets at their current version. */
export function useDatasets() {
  return useQuery({
    queryKey: ["datasets"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/datasets", { signal })),
  });
}

/** One cell with its lineage and caveats; a dataset version never changes, so neither does the answer. */
export function useCell(dataset: Dataset | undefined, row: number | undefined, column: string | undefined) {
  const about = useAbout().data;
  return useQuery({
    queryKey: ["cell", dataset?.name, dataset?.version, row, column],
    // A link to one version shows values, but the server tells its readers nothing of where they came from.
    enabled: about !== undefined && !about.shared && dataset !== undefined && row !== undefined && column !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/datasets/{name}/cell", {
          params: {
            path: { name: dataset?.name ?? "" },
            query: { row: row ?? 0, column: column ?? "", version: dataset?.version ?? 1 },
          },
          signal,
        }),
      ),
  });
}

/** Which whence answers, asked again and again so that a lost connection shows. */
export function useAbout() {
  return useQuery<Schemas["About"]>({
    queryKey: ["about"],
    refetchInterval: ({ state }) => (state.data?.engine === "starting" ? 1000 : 5000),
    retry: false,
    queryFn: ({ signal }) => unwrap(client.GET("/api/about", { signal })),
  });
}

/** Which rows of a dataset are asked for, and in what order; without either all, as they are stored. */
export type RowQuery = { sort?: string; filter?: string };

export function fetchPage(
  { name, version }: Pick<Dataset, "name" | "version">,
  range: { offset: number; limit: number },
  rows: RowQuery,
  signal?: AbortSignal,
): Promise<Page> {
  return unwrap(
    client.GET("/api/datasets/{name}/page", {
      params: { path: { name }, query: { ...range, version, ...rows } },
      ...(signal && { signal }),
    }),
  );
}

/** The first rows of a result, as the page keeps them; a dataset version never changes. */
export function firstRows({ name, version }: Pick<Dataset, "name" | "version">, rows: RowQuery, few: number) {
  return {
    queryKey: ["preview", name, version, rows, few],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      fetchPage({ name, version }, { offset: 0, limit: few }, rows, signal),
  };
}

export type Direction = "next" | "previous";

export function fetchDoubt(
  dataset: Dataset,
  from: { row: number; column: string } | undefined,
  direction: Direction,
): Promise<Schemas["DoubtfulCell"] | null> {
  return unwrap(
    client.GET("/api/datasets/{name}/next-doubt", {
      params: { path: { name: dataset.name }, query: { ...from, direction, version: dataset.version } },
    }),
  );
}

/** Errors that another try will not change are shown at once. */
export function retryLater(failures: number, error: Error): boolean {
  return failures < 2 && !(error instanceof ApiError);
}

/** Marks are other than they were, so all that shows any is read again; what a group reaches stays the same. */
export function marksChanged(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "impact" });
}
