import { client, type Schemas, unwrap } from "../api/client";
import type { CheckValues } from "./columnChecks";

export type CheckPreviews = Schemas["CheckPreviews"];

/** Checks that hold for every row of a dataset now, from its profile. */
export async function suggestedChecks(name: string, signal?: AbortSignal): Promise<CheckValues[]> {
  const asked = { params: { path: { name } }, ...(signal && { signal }) };
  return (await unwrap(client.GET("/api/datasets/{name}/checks", asked))).checks as CheckValues[];
}

/** How many rows a check would mark; nothing of it is kept. */
export function previewCheck(name: string, check: CheckValues, signal?: AbortSignal): Promise<CheckPreviews> {
  const asked = { params: { path: { name } }, body: { checks: [check] }, ...(signal && { signal }) };
  return unwrap(client.POST("/api/datasets/{name}/checks/preview", asked));
}
