import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "../api/client";
import { marksChanged, useAbout } from "../api/queries";
import { useIdle } from "../state/idle";
import type { Group } from "./sections";

/** Reads everything doubtful in the workspace, or only what came after a version. */
export function fetchOverview(since?: string, signal?: AbortSignal) {
  return unwrap(client.GET("/api/caveats", { params: { query: { since: since ?? null } }, ...(signal && { signal }) }));
}

/** Everything doubtful in the workspace, or only what came after a version. */
export function useOverview(since: string | undefined, isEnabled = true) {
  return useQuery({
    queryKey: ["caveats", "groups", since],
    enabled: isEnabled,
    queryFn: ({ signal }) => fetchOverview(since, signal),
  });
}

/** How many caveats are open; it waits until the page has shown what it was opened for. */
export function useOpenCount() {
  const isIdle = useIdle();
  const about = useAbout().data;
  return useQuery({
    queryKey: ["caveats", "count"],
    enabled: isIdle && about !== undefined && !about.shared,
    queryFn: ({ signal }) => unwrap(client.GET("/api/caveats/count", { signal })),
  });
}

/** How much of each dataset it reaches a group may have changed. */
export function useImpacts(group: Group, since: string | undefined) {
  return useQueries({
    queries: group.reaches.map(({ name, version }) => ({
      queryKey: ["impact", group.id, group.caveats.count, name, version, since],
      staleTime: Number.POSITIVE_INFINITY,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        unwrap(
          client.GET("/api/datasets/{name}/caveats/impact", {
            params: { path: { name }, query: { group: group.id, version, since: since ?? null } },
            signal,
          }),
        ),
    })),
  });
}

type Acknowledged = { groups: Group[]; places: number[] | null; note: string };

/** Accept caveats, or doubt them again; marks change everywhere, so everything is read afresh. */
export function useAcknowledge(since: string | undefined) {
  const queries = useQueryClient();
  const settled = () => marksChanged(queries);
  return {
    acknowledge: useMutation({
      mutationFn: async ({ groups, places, note }: Acknowledged) => {
        for (const { id, raised_in } of groups)
          await unwrap(
            client.POST("/api/datasets/{name}/caveats/acknowledge", {
              params: { path: { name: raised_in.name } },
              body: { group: id, places, note, version: raised_in.version, since: since ?? null },
            }),
          );
      },
      onSettled: settled,
    }),
    revoke: useMutation({
      mutationFn: ({ id, raised_in }: Group) =>
        unwrap(
          client.POST("/api/datasets/{name}/caveats/revoke", {
            params: { path: { name: raised_in.name } },
            body: { group: id, version: raised_in.version, since: since ?? null },
          }),
        ),
      onSettled: settled,
    }),
  };
}
