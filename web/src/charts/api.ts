import { keepPreviousData, type QueryClient, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { client, type Dataset, type Schemas, unwrap } from "../api/client";
import { fetchPage } from "../api/queries";
import type { Json } from "../chart/themed";
import { titlesOf } from "./titles";

export type DrawnChart = Schemas["DrawnChart"];
export type LinkedCharts = Schemas["LinkedCharts"];
export type Brush = Schemas["BrushChart"];
export type Brushed = Schemas["BrushedCharts"];

/** Everything a chart can be made of, as the server knows it. */
export function useGrammar() {
  return useQuery({
    queryKey: ["chart-grammar"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => unwrap(client.GET("/api/chart-grammar", { signal })),
  });
}

export function useSuggestions(dataset: Dataset | undefined) {
  return useQuery({
    queryKey: ["suggested", dataset?.name, dataset?.version],
    enabled: dataset !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/datasets/{name}/charts", {
          params: { path: { name: dataset?.name ?? "" }, query: {} },
          signal,
        }),
      ),
  });
}

/** What drawing a specification would mean; nothing is computed for it. */
export function useCost(dataset: Dataset | undefined, spec: Json | undefined) {
  return useQuery({
    queryKey: ["cost", dataset?.name, dataset?.version, JSON.stringify(spec)],
    enabled: dataset !== undefined && spec !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) =>
      unwrap(
        client.POST("/api/datasets/{name}/charts/cost", {
          params: { path: { name: dataset?.name ?? "" } },
          body: { spec: spec ?? {}, version: dataset?.version ?? null, name: null },
          signal,
        }),
      ),
  });
}

/** The chart of a specification; while another one is computed the last good one stays. */
export function useDrawn(dataset: Dataset | undefined, spec: Json | undefined) {
  return useQuery({
    queryKey: ["drawn", dataset?.name, dataset?.version, JSON.stringify(spec)],
    enabled: dataset !== undefined && spec !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      unwrap(
        client.POST("/api/datasets/{name}/charts", {
          params: { path: { name: dataset?.name ?? "" } },
          body: { spec: spec ?? {}, version: dataset?.version ?? null, name: null },
          signal,
        }),
      ),
  });
}

/** The same chart under a name of its own, among the datasets. */
export function keepChart({ source }: DrawnChart, spec: Json, name: string) {
  return unwrap(
    client.POST("/api/datasets/{name}/charts", {
      params: { path: { name: source.name } },
      body: { spec, version: source.version, name },
    }),
  );
}

/** A chart that was drawn before, by the dataset of its marks. */
export function useChart(chart: string | undefined) {
  return useQuery({
    queryKey: ["chart", chart],
    enabled: chart !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/charts/{chart}/picture", { params: { path: { chart: chart ?? "" } }, signal })),
  });
}

/** The query of a chart's marks, and its code for Altair. */
export function useCode(chart: string) {
  return useQuery({
    queryKey: ["chart-code", chart],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) => unwrap(client.GET("/api/charts/{chart}/code", { params: { path: { chart } }, signal })),
  });
}

function behind(drawn: DrawnChart | undefined, marks: number[]) {
  const name = drawn?.marks.name ?? "";
  return {
    queryKey: ["behind", drawn?.chart, marks],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      unwrap(
        client.POST("/api/datasets/{name}/trace", {
          params: { path: { name } },
          body: {
            direction: "backward",
            to: `${drawn?.source.name}@${drawn?.source.version}`,
            rows: marks,
            version: drawn?.marks.version ?? null,
            path: [],
            influence: false,
            offset: 0,
            limit: 0,
          },
          signal,
        }),
      ),
  };
}

/** How many rows are behind some marks. */
export function useBehind(drawn: DrawnChart | undefined, marks: number[]) {
  return useQuery({ ...behind(drawn, marks), enabled: drawn !== undefined && marks.length > 0 });
}

/** The way from marks to their rows is opened when the pointer comes near: the first question takes longer. */
export function readyRows(queries: QueryClient, drawn: DrawnChart) {
  return drawn.marks.rows > 0 ? queries.prefetchQuery(behind(drawn, [0])) : undefined;
}

/** The rows behind marks, as a dataset that can be opened. */
export function keepRows(chart: string, marks: number[]) {
  return unwrap(client.POST("/api/charts/{chart}/rows", { params: { path: { chart } }, body: { marks } }));
}

const FIRST = 1000;

/** The first marks of a chart, with their values. */
export function useMarks(marks: Dataset | undefined) {
  return useQuery({
    queryKey: ["marks", marks?.name, marks?.version],
    enabled: marks !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => fetchPage(marks as Dataset, { offset: 0, limit: FIRST }, {}, signal),
  });
}

/** What each mark stands for, in words; without one of its columns if what that says is told elsewhere. */
export function useMarkWords(drawn: DrawnChart, without?: string): string[] {
  const { data } = useMarks(drawn.marks);
  const titles = useMemo(() => titlesOf(drawn), [drawn]);
  const said = (row: unknown[]) =>
    data?.columns
      .flatMap(({ name }, i) => (name === without ? [] : [`${titles.get(name) ?? name} ${shortly(row[i])}`]))
      .join(", ") ?? "";
  return data?.rows.map(said) ?? [];
}

function shortly(value: unknown): string {
  return typeof value === "number" ? String(Number(value.toPrecision(6))) : String(value ?? "missing");
}

/** The numbers that marks measure. */
export function useMarkValues(marks: Dataset | undefined, column: string): (number | null)[] {
  const { data } = useMarks(marks);
  const place = data?.columns.findIndex(({ name }) => name === column) ?? -1;
  return data?.rows.map((row) => (typeof row[place] === "number" ? row[place] : null)) ?? [];
}

export function linkCharts(charts: string[], signal: AbortSignal) {
  return unwrap(client.POST("/api/links", { body: { charts }, signal }));
}

export function prepareBrush(link: string, chart: number) {
  return unwrap(client.POST("/api/links/{link}/prepare", { params: { path: { link } }, body: { chart } }));
}

export function brushChart(link: string, brush: Brush, signal: AbortSignal) {
  return unwrap(client.POST("/api/links/{link}/brush", { params: { path: { link } }, body: brush, signal }));
}

export function clearBrush(link: string, chart: number | undefined) {
  return unwrap(client.POST("/api/links/{link}/clear", { params: { path: { link } }, body: { chart: chart ?? null } }));
}
