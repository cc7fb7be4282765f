import { type QueryClient, useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, type Schemas, unwrap } from "./client";

export type Notebook = Schemas["NotebookView"];
export type NotebookCell = Schemas["CellView"];
export type Kind = Schemas["KindView"];
export type Session = Schemas["SessionView"];

const key = (name: string) => ["notebook", name];

export function useNotebooks() {
  return useQuery({
    queryKey: ["notebooks"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/notebooks", { signal })),
  });
}

export const readNotebook = (name: string) => ({
  queryKey: key(name),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    unwrap(client.GET("/api/notebooks/{name}", { params: { path: { name } }, signal })),
});

export function useNotebook(name: string) {
  return useQuery(readNotebook(name));
}

/** The variables that Python cells share, and which cells are out of date; read again whenever the notebook is. */
export function useSession(name: string, isOn: boolean) {
  return useQuery({
    queryKey: [...key(name), "session"],
    enabled: isOn,
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/notebooks/{name}/session", { params: { path: { name } }, signal })),
  });
}

/** Several notebooks at once, as far as they have been read. */
export function useSeveralNotebooks(names: string[]): Notebook[] {
  return useQueries({ queries: names.map(readNotebook), combine: present });
}

function present(results: { data: Notebook | undefined }[]): Notebook[] {
  return results.flatMap((result) => result.data ?? []);
}

type Advance = { notebook: string; cell: string; progress: NonNullable<NotebookCell["progress"]> };

/** How far a cell is changes many times a second, so the notebook is not read again for it. */
export function advance(queries: QueryClient, { notebook, cell, progress }: Advance): void {
  queries.setQueryData<Notebook>(
    key(notebook),
    (known) =>
      known && { ...known, cells: known.cells.map((each) => (each.id === cell ? { ...each, progress } : each)) },
  );
}

/** Milliseconds: an edit, its event and the start of its run all ask for the notebook again. */
const TOGETHER = 40;
const waiting = new Map<string, ReturnType<typeof setTimeout>>();

/** Has a notebook read again: once for all that asks for it in a moment, or at once. */
export function rereadNotebook(queries: QueryClient, name: string, when: "soon" | "now" = "soon"): void {
  if (when === "soon" && waiting.has(name)) return;
  clearTimeout(waiting.get(name));
  const read = () => {
    waiting.delete(name);
    void queries.invalidateQueries({ queryKey: key(name) });
  };
  if (when === "now") read();
  else waiting.set(name, setTimeout(read, TOGETHER));
}

/** Shows what an edit made of a cell, without reading the notebook again for it. */
function showEdited(queries: QueryClient, name: string, { version, cell }: Schemas["Edited"]): void {
  if (cell === null) return;
  queries.setQueryData<Notebook>(
    key(name),
    (known) => known && { ...known, version, cells: known.cells.map((each) => (each.id === cell.id ? cell : each)) },
  );
}

/** The kinds of cells never change while the server runs. */
export function useKinds() {
  return useQuery({
    queryKey: ["kinds"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => unwrap(client.GET("/api/kinds", { signal })),
  });
}

/** One version of a notebook with the results its cells had. */
export function useVersion(name: string, version: number) {
  return useQuery({
    queryKey: ["version", name, version],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/notebooks/{name}/versions/{version}", { params: { path: { name, version } }, signal })),
  });
}

export function useHistory(name: string, version: number) {
  return useQuery({
    queryKey: ["history", name, version],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/notebooks/{name}/history", { params: { path: { name } }, signal })),
  });
}

export function fetchComparison(name: string, before: number, after: number, signal: AbortSignal) {
  const params = { path: { name }, query: { before, after } };
  return unwrap(client.GET("/api/notebooks/{name}/compare", { params, signal }));
}

type Values = Record<string, unknown>;
type Where = { base_version?: number };

/** Every edit has an id of its own, so that one sent twice takes effect once. */
const command = () => ({ command_id: crypto.randomUUID() });

/** Sends a file as it is; the path by which a load cell finds it. */
async function upload(file: File): Promise<string> {
  const query = { name: file.name };
  const sent = client.POST("/api/uploads", { params: { query }, body: file as never, bodySerializer: (body) => body });
  return (await unwrap(sent)).path;
}

/** Brings a file in and adds a cell that loads it; at the end unless a position is given. */
export async function addLoadCell(notebook: string, file: File, position?: number) {
  const source = await upload(file);
  const values = { source, name: file.name.replace(/\.[^.]*$/, "") || "data" };
  return unwrap(
    client.POST("/api/notebooks/{name}/cells", {
      params: { path: { name: notebook } },
      body: { kind: "load", values, is_draft: false, ...(position !== undefined && { position }), ...command() },
    }),
  );
}

/** What can be done to a notebook; when one of them has answered, the notebook is read again. */
export function useEdits(name: string) {
  const queries = useQueryClient();
  const settled = () => Promise.all([queries.invalidateQueries({ queryKey: key(name) })]);
  const path = { name };
  const of = (cell: string) => ({ path: { name, cell } });
  return {
    add: useMutation({
      mutationFn: (asked: { kind: string; values: Values; position?: number; is_draft: boolean } & Where) =>
        unwrap(client.POST("/api/notebooks/{name}/cells", { params: { path }, body: { ...asked, ...command() } })),
      onSettled: settled,
    }),
    load: useMutation({
      mutationFn: ({ file, position }: { file: File; position: number }) => addLoadCell(name, file, position),
      onSettled: settled,
    }),
    change: useMutation({
      mutationFn: ({ cell, ...asked }: { cell: string; values: Values; kind?: string } & Where) =>
        unwrap(
          client.POST("/api/notebooks/{name}/cells/{cell}/change", {
            params: of(cell),
            body: { ...asked, ...command() },
          }),
        ),
      onSuccess: (edited) => showEdited(queries, name, edited),
      // It is not waited for: what runs next need not know all other cells.
      onSettled: () => rereadNotebook(queries, name),
    }),
    remove: useMutation({
      mutationFn: (cell: string) =>
        unwrap(client.POST("/api/notebooks/{name}/cells/{cell}/remove", { params: of(cell), body: command() })),
      onSettled: settled,
    }),
    move: useMutation({
      mutationFn: ({ cell, position }: { cell: string; position: number }) =>
        unwrap(
          client.POST("/api/notebooks/{name}/cells/{cell}/move", {
            params: of(cell),
            body: { position, ...command() },
          }),
        ),
      onSettled: settled,
    }),
    freeze: useMutation({
      mutationFn: (cell: string) =>
        unwrap(client.POST("/api/notebooks/{name}/cells/{cell}/freeze", { params: of(cell) })),
      onSettled: settled,
    }),
    thaw: useMutation({
      mutationFn: (cell: string) =>
        unwrap(client.POST("/api/notebooks/{name}/cells/{cell}/thaw", { params: of(cell) })),
      onSettled: settled,
    }),
    run: useMutation({
      mutationFn: (body: { cell?: string; what: Schemas["RunCells"]["what"]; again: boolean }) =>
        unwrap(client.POST("/api/notebooks/{name}/run", { params: { path }, body })),
      onSettled: settled,
    }),
    cancel: useMutation({
      mutationFn: (cell: string | undefined) =>
        unwrap(
          client.POST("/api/notebooks/{name}/cancel", { params: { path }, body: { cell: cell ?? null, hard: false } }),
        ),
      onSettled: settled,
    }),
    restartSpark: useMutation({
      mutationFn: (cell: string) =>
        unwrap(client.POST("/api/notebooks/{name}/cancel", { params: { path }, body: { cell, hard: true } })),
      onSettled: settled,
    }),
    setMode: useMutation({
      mutationFn: (mode: Notebook["mode"]) =>
        unwrap(client.POST("/api/notebooks/{name}/mode", { params: { path }, body: { mode } })),
      onSettled: settled,
    }),
    restart: useMutation({
      mutationFn: () => unwrap(client.POST("/api/notebooks/{name}/session/restart", { params: { path } })),
      onSettled: settled,
    }),
    toWorkflow: useMutation({
      mutationFn: () => unwrap(client.POST("/api/notebooks/{name}/session/workflow", { params: { path } })),
      onSettled: settled,
    }),
    share: useMutation({
      mutationFn: (version: number) =>
        unwrap(client.POST("/api/notebooks/{name}/shares", { params: { path }, body: { version, days: 30 } })),
    }),
    branch: useMutation({
      mutationFn: (body: { name: string; at: number }) =>
        unwrap(client.POST("/api/notebooks/{name}/branches", { params: { path }, body })),
      onSettled: settled,
    }),
    checkOut: useMutation({
      mutationFn: (branch: string) =>
        unwrap(client.POST("/api/notebooks/{name}/checkout", { params: { path }, body: { branch } })),
      onSettled: settled,
    }),
    restore: useMutation({
      mutationFn: (version: number) =>
        unwrap(client.POST("/api/notebooks/{name}/restore", { params: { path }, body: { version } })),
      onSettled: settled,
    }),
  };
}

export type Edits = ReturnType<typeof useEdits>;
