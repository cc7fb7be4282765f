import { client, type Schemas, unwrap } from "../api/client";

export type Plan = Schemas["ForgettingPlanView"];
export type Forgotten = Schemas["CertificateView"];

/** What forgetting rows would reach; nothing happens yet. */
export function planForgetting(name: string, where: string): Promise<Plan> {
  return unwrap(client.POST("/api/datasets/{name}/forget/plan", { params: { path: { name } }, body: { where } }));
}

/** Forgets rows for good, as the plan says that was shown. */
export function forgetRows(name: string, body: Schemas["AskForgetting"]): Promise<Forgotten> {
  return unwrap(client.POST("/api/datasets/{name}/forget", { params: { path: { name } }, body }));
}
