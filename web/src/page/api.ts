import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, type Schemas, unwrap } from "../api/client";
import type { Notebook } from "../api/notebooks";
import type { Item } from "./grid";

type Made = Schemas["MadeDataset"];

/** The most charts, and the most tables, that a page links; further ones are shown without following. */
export const MOST_LINKED = 12;

/** Links the charts and tables of a page, by the versions of their datasets. */
export function useLinked(charts: string[], tables: string[], isOn: boolean) {
  return useQuery({
    queryKey: ["linked page", charts, tables],
    enabled: isOn && charts.length > 0 && charts.length + tables.length > 1,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    // While other values are computed, the charts stay as they are.
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => unwrap(client.POST("/api/links", { body: { charts, tables }, signal })),
  });
}

/** The rows of a linked table behind what is brushed; `marks` says what that is, so that they are asked for again. */
export function useSelectedRows(link: string | undefined, table: number, marks: string, limit: number) {
  return useQuery({
    queryKey: ["selected rows", link, table, marks, limit],
    enabled: link !== undefined && table >= 0 && marks !== "",
    gcTime: 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      unwrap(
        client.POST("/api/links/{link}/rows", {
          params: { path: { link: link ?? "" } },
          body: { table, limit },
          signal,
        }),
      ),
  });
}

/** The first rows of a dataset, or the rows with these ids. */
export function useRows({ name, version }: Made, limit: number, rids: number[] | undefined) {
  const query = rids === undefined ? { limit } : { rids: JSON.stringify(rids) };
  return useQuery({
    queryKey: ["page rows", name, version, query],
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/datasets/{name}/page", { params: { path: { name }, query: { version, ...query } }, signal }),
      ),
  });
}

/** What can be done to a page; when one of them has answered, the notebook is read again. */
export function usePageEdits({ name }: Notebook) {
  const queries = useQueryClient();
  const settled = () => queries.invalidateQueries({ queryKey: ["notebook", name] });
  const params = { path: { name } };
  return {
    arrange: useMutation({
      mutationFn: ({ items, base_version }: { items: Item[]; base_version: number }) => {
        const placed = items.map(({ values: _, ...item }) => item);
        const body = { items: placed, base_version, command_id: crypto.randomUUID() };
        return unwrap(client.POST("/api/notebooks/{name}/page", { params, body }));
      },
      onSettled: settled,
    }),
    setParameters: useMutation({
      mutationFn: (values: Record<string, unknown>) =>
        unwrap(client.POST("/api/notebooks/{name}/parameters", { params, body: { values } })),
      onSettled: settled,
    }),
  };
}

export type PageEdits = ReturnType<typeof usePageEdits>;
