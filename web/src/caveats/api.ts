import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "../api/client";
import { marksChanged } from "../api/queries";
import type { Group } from "./sections";

/** Everything doubtful in the workspace. */
export function useOverview() {
  return useQuery({
    queryKey: ["caveats"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/caveats", { signal })),
  });
}

/** How much of each dataset it reaches a group may have changed. */
export function useImpacts(group: Group) {
  return useQueries({
    queries: group.reaches.map(({ name, version }) => ({
      queryKey: ["impact", group.id, group.caveats.count, name, version],
      staleTime: Number.POSITIVE_INFINITY,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        unwrap(
          client.GET("/api/datasets/{name}/caveats/impact", {
            params: { path: { name }, query: { group: group.id, version } },
            signal,
          }),
        ),
    })),
  });
}

type Acknowledged = { groups: Group[]; places: number[] | null; note: string };

/** Take caveats upon oneself, or doubt them again; marks change everywhere, so everything is read afresh. */
export function useAcknowledge() {
  const queries = useQueryClient();
  const settled = () => marksChanged(queries);
  return {
    acknowledge: useMutation({
      mutationFn: async ({ groups, places, note }: Acknowledged) => {
        for (const { id, raised_in } of groups)
          await unwrap(
            client.POST("/api/datasets/{name}/caveats/acknowledge", {
              params: { path: { name: raised_in.name } },
              body: { group: id, places, note, version: raised_in.version },
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
            body: { group: id, version: raised_in.version },
          }),
        ),
      onSettled: settled,
    }),
  };
}
