import { client, type Schemas, unwrap } from "../api/client";

export type Sheet = Schemas["SheetView"];
export type SheetPage = Schemas["PagedSheet"];
export type SheetColumn = Schemas["SheetColumn"];
export type Density = Schemas["SheetDensityView"];
export type Place = Schemas["SheetPlace"];
export type Direction = "next" | "previous";
export type Operation = { operation: string; arguments: Record<string, unknown> };
export type Command = Operation & { command_id: string };

type Where = { where?: string | undefined };
type From = { row: number; column: string } | undefined;

const of = (sheet: string) => ({ path: { sheet } });

/** The sheet over a dataset: the one with pending edits if there is one, else a new one. */
export function openSheet(dataset: string): Promise<Sheet> {
  return unwrap(client.POST("/api/sheets", { body: { dataset, resume: true } }));
}

export function readSheet(sheet: string): Promise<Sheet> {
  return unwrap(client.GET("/api/sheets/{sheet}", { params: of(sheet) }));
}

export function fetchRows(sheet: string, offset: number, limit: number, { where }: Where, signal: AbortSignal) {
  const query = { offset, limit, ...(where !== undefined && { where }) };
  return unwrap(client.GET("/api/sheets/{sheet}/page", { params: { ...of(sheet), query }, signal }));
}

export function send(sheet: string, body: Command): Promise<Sheet> {
  return unwrap(client.POST("/api/sheets/{sheet}/operations", { params: of(sheet), body }));
}

export function discard(sheet: string) {
  return unwrap(client.POST("/api/sheets/{sheet}/discard", { params: of(sheet) }));
}

/** The notebook that makes the data, and the place right after the cell that makes it. */
export function findHome(sheet: string, signal?: AbortSignal): Promise<Schemas["SheetHome"] | null> {
  return unwrap(client.GET("/api/sheets/{sheet}/home", { params: of(sheet), ...(signal && { signal }) }));
}

export function apply(sheet: string, asked: { notebook: string; name: string; position?: number }) {
  const body = { ...asked, command_id: crypto.randomUUID() };
  return unwrap(client.POST("/api/sheets/{sheet}/apply", { params: of(sheet), body }));
}

export function fetchDensity(sheet: string, where: string | undefined, signal: AbortSignal): Promise<Density> {
  const query = { buckets: 400, ...(where !== undefined && { where }) };
  return unwrap(client.GET("/api/sheets/{sheet}/density", { params: { ...of(sheet), query }, signal }));
}

export function findDoubt(sheet: string, from: From, direction: Direction, where: string | undefined) {
  const query = { ...from, direction, ...(where !== undefined && { where }) };
  return unwrap(client.GET("/api/sheets/{sheet}/next-doubt", { params: { ...of(sheet), query } }));
}

export function findText(sheet: string, text: string, from: From, direction: Direction, where: string | undefined) {
  const query = { text, ...from, direction, ...(where !== undefined && { where }) };
  return unwrap(client.GET("/api/sheets/{sheet}/find", { params: { ...of(sheet), query } }));
}

type Area = { start: number; stop: number; columns: string[]; where: string | undefined };

export function fetchSummary(sheet: string, { start, stop, columns, where }: Area, signal: AbortSignal) {
  const query = { column: columns, start, stop, ...(where !== undefined && { where }) };
  return unwrap(client.GET("/api/sheets/{sheet}/summary", { params: { ...of(sheet), query }, signal }));
}

export function fetchHistory(sheet: string, row: string, column: string, signal: AbortSignal) {
  return unwrap(
    client.GET("/api/sheets/{sheet}/history", { params: { ...of(sheet), query: { row, column } }, signal }),
  );
}

export function countIdentical(sheet: string, row: string, column: string) {
  return unwrap(client.GET("/api/sheets/{sheet}/identical", { params: { ...of(sheet), query: { row, column } } }));
}

export type SheetValues = Schemas["SheetValues"];
export type ClusterMethod = "fingerprint" | "ngram" | "phonetic" | "distance";

type ValuesAsked = { column: string; text: string; limit: number; where: string | undefined };

export function fetchValues(sheet: string, { where, ...asked }: ValuesAsked, signal: AbortSignal) {
  const query = { ...asked, ...(where !== undefined && { where }) };
  return unwrap(client.GET("/api/sheets/{sheet}/values", { params: { ...of(sheet), query }, signal }));
}

export function fetchClusters(sheet: string, column: string, method: ClusterMethod, signal: AbortSignal) {
  const query = { column, method };
  return unwrap(client.GET("/api/sheets/{sheet}/clusters", { params: { ...of(sheet), query }, signal }));
}

export function fetchProfile(dataset: string, version: number, column: string, signal: AbortSignal) {
  const params = { path: { name: dataset }, query: { column, version } };
  return unwrap(client.GET("/api/datasets/{name}/profile", { params, signal }));
}

export type SheetFunction = Schemas["SheetFunctionView"];
export type SheetPreview = Schemas["SheetPreviewView"];

/** What operations would change in the first rows; the sheet stays as it is. */
export function previewEdits(sheet: string, operations: Operation[], signal: AbortSignal): Promise<SheetPreview> {
  return unwrap(
    client.POST("/api/sheets/{sheet}/preview", { params: of(sheet), body: { operations, limit: 8 }, signal }),
  );
}

export function fetchFunctions(signal: AbortSignal): Promise<SheetFunction[]> {
  return unwrap(client.GET("/api/sheet-functions", { signal }));
}
